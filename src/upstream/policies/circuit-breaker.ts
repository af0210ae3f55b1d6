import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { createOpenState, type PauseLimits } from './open-state.ts';

export interface BreakerLimits extends PauseLimits {
  /** The breaker opens after this many failures within the window, if they are half of all attempts. */
  readonly failures: number;
  readonly windowMs: number;
}

/** A read has three attempts, so ten failures are more than three reads. */
export const breakerLimits: BreakerLimits = {
  failures: 10,
  windowMs: 30_000,
  firstMs: 1_000,
  maxMs: 30_000,
};

/** What an attempt shows about the upstream; `nothing` for one that was given up early. */
export type Verdict = 'works' | 'fails' | 'nothing';

/** Why an attempt was admitted: the breaker is closed, the attempt is its trial, or it is an urgent read. */
export type Admission = 'closed' | 'trial' | 'urgent';

const noCounts = () => ({ works: 0, fails: 0 });

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Stops calls of one action while the upstream fails. `onOpen` is called when it opens, and not after a failed trial.
 *
 * Not cockatiel, which reads the real clock: the simulation injects time and randomness.
 */
export function createBreaker(
  time: { readonly clock: Clock; readonly randomness: Randomness },
  limits: BreakerLimits,
  onOpen: () => void = () => undefined,
) {
  const { clock } = time;
  const halfMs = limits.windowMs / 2;
  const circuit = createOpenState({ ...time, ...limits });
  /** The window is the current half and the one before. */
  const newWindow = () => ({
    current: noCounts(),
    before: noCounts(),
    sinceMs: clock.monotonicMs(),
  });
  let window = newWindow();

  const count = (verdict: 'works' | 'fails') => {
    const ageMs = clock.monotonicMs() - window.sinceMs;
    const before = ageMs < limits.windowMs ? window.current : noCounts();
    if (ageMs >= halfMs) window = { ...newWindow(), before };
    window.current[verdict] += 1;
  };
  const isAboveLimit = () => {
    const { current, before } = window;
    const fails = current.fails + before.fails;
    return fails >= limits.failures && fails >= current.works + before.works;
  };

  return {
    state: circuit.state,
    /**
     * @throws Fault `UPSTREAM_UNAVAILABLE` while the breaker is open. An urgent read passes: a write or a purchase waits for
     * it, so it must not fail because of earlier calls.
     */
    check(isUrgent: boolean): void {
      if (isUrgent || !circuit.rejects()) return;
      throw new Fault('UPSTREAM_UNAVAILABLE', {
        message: 'The registrar failed repeatedly, so it was not called. Try again later.',
        executed: 'NO',
        facts: { retryAfterMs: Math.ceil(circuit.leftMs()) || limits.firstMs },
      });
    },
    /** Admits an attempt directly after its `check`. Each needs its `leave`. */
    enter(): Admission {
      if (circuit.rejects()) return 'urgent';
      return circuit.enter() ? 'trial' : 'closed';
    },
    leave(admission: Admission, verdict: Verdict): void {
      const isOpen = circuit.state() !== 'closed';
      if (isOpen && admission !== 'closed') {
        if (verdict === 'works') {
          window = newWindow();
          circuit.close();
        } else if (admission === 'trial') {
          if (verdict === 'fails') circuit.open();
          else circuit.abandonTrial();
        }
        return;
      }
      // An attempt from before the breaker opened shows nothing new.
      if (isOpen || verdict === 'nothing') return;
      count(verdict);
      if (!isAboveLimit()) return;
      circuit.open();
      onOpen();
    },
  };
}
