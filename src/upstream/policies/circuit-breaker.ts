import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';

type CircuitState = 'closed' | 'open' | 'half-open';

export interface PauseLimits {
  /** Milliseconds of the first pause; it doubles with each failed trial. */
  readonly firstMs: number;
  readonly maxMs: number;
}

export interface OpenStateOptions extends PauseLimits {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly randomness: Pick<Randomness, 'fraction'>;
}

/** A pause varies by a quarter in both directions, so that replicas do not resume at the same time. */
const jitter = 0.25;

/**
 * The states of a circuit breaker. An open circuit rejects every call until its pause ends; then it is half-open and admits
 * one trial call at a time.
 */
export function createOpenState({ clock, randomness, firstMs, maxMs }: OpenStateOptions) {
  let phase: 'closed' | 'pause' | 'trial' = 'closed';
  let untilMs = 0;
  let nextMs = firstMs;

  const leftMs = () => (phase === 'closed' ? 0 : Math.max(0, untilMs - clock.monotonicMs()));
  return {
    state(): CircuitState {
      if (phase === 'closed') return 'closed';
      return leftMs() > 0 ? 'open' : 'half-open';
    },
    /** Milliseconds until a trial call is admitted; 0 when it is, or when the circuit is closed. */
    leftMs,
    /** Whether a call is rejected now: during a pause and during a trial. */
    rejects: (): boolean => phase === 'trial' || leftMs() > 0,
    /** Registers a call that was not rejected; returns whether it is the trial. */
    enter(): boolean {
      if (phase === 'closed') return false;
      phase = 'trial';
      return true;
    },
    /** Opens the circuit, or extends the pause after a failed trial. */
    open(): void {
      phase = 'pause';
      untilMs = clock.monotonicMs() + nextMs * (1 - jitter + 2 * jitter * randomness.fraction());
      nextMs = Math.min(2 * nextMs, maxMs);
    },
    close(): void {
      phase = 'closed';
      nextMs = firstMs;
    },
    /** Ends a trial without a result, so that the next call is the trial. */
    abandonTrial(): void {
      phase = 'pause';
    },
  };
}

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
