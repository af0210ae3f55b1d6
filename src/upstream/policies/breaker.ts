import type { Clock, Randomness } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import { createRecess } from './recess.ts';

export interface BreakerLimits {
  /** It opens after so many failures within the window, if they are half of all attempts. */
  readonly failures: number;
  readonly windowMs: number;
  /** The pause before an attempt is let through again; twice as long each time that one fails. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Three reads and a third of one more, each repeated to the end. */
export const breakerLimits: BreakerLimits = {
  failures: 10,
  windowMs: 30_000,
  firstPauseMs: 1_000,
  longestPauseMs: 30_000,
};

/** What an attempt says of the way to the service and back; `nothing` is one that was given up early. */
export type Verdict = 'works' | 'fails' | 'nothing';

/** How an attempt came past the breaker: it was closed, or the attempt tries it, or money waits for it. */
export type Admission = 'closed' | 'trial' | 'urgent';

const noCounts = () => ({ works: 0, fails: 0 });

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Stops asking a service that fails, for one action.
 *
 * Ours and not cockatiel's, which reads the real clock: time and chance are handed in here, so that a simulation decides
 * them.
 */
export function createBreaker(
  time: { readonly clock: Clock; readonly randomness: Randomness },
  limits: BreakerLimits,
) {
  const { clock } = time;
  const halfMs = limits.windowMs / 2;
  const recess = createRecess({
    ...time,
    firstMs: limits.firstPauseMs,
    longestMs: limits.longestPauseMs,
  });
  // The window is this half and the one before.
  let half = noCounts();
  let before = noCounts();
  let halfBeganMs = clock.monotonicMs();

  const count = (verdict: 'works' | 'fails') => {
    const ageMs = clock.monotonicMs() - halfBeganMs;
    if (ageMs >= halfMs) {
      before = ageMs < limits.windowMs ? half : noCounts();
      half = noCounts();
      halfBeganMs += ageMs;
    }
    half[verdict] += 1;
  };
  const isTooMuch = () => {
    const fails = half.fails + before.fails;
    return fails >= limits.failures && fails >= half.works + before.works;
  };
  const startOver = () => {
    half = noCounts();
    before = noCounts();
    halfBeganMs = clock.monotonicMs();
  };

  return {
    state: recess.state,
    /**
     * @throws Fault `UPSTREAM_UNAVAILABLE` while it is open. `isUrgent` passes all the same: a read that money waits for
     * must not be told of a service that is away when it is back.
     */
    check(isUrgent: boolean): void {
      if (isUrgent || !recess.keepsOut()) return;
      throw new Fault('UPSTREAM_UNAVAILABLE', {
        message: 'The service has failed too often just now, so it was not asked; try again later.',
        executed: 'NO',
        facts: { retryAfterMs: Math.ceil(recess.leftMs()) || limits.firstPauseMs },
      });
    },
    /** For an attempt that `check` let pass in this very moment. Each needs its `leave`. */
    enter(): Admission {
      if (recess.keepsOut()) return 'urgent';
      return recess.enter() ? 'trial' : 'closed';
    },
    leave(admission: Admission, verdict: Verdict): void {
      const isOpen = recess.state() !== 'closed';
      if (isOpen && admission !== 'closed') {
        if (verdict === 'works') {
          startOver();
          recess.end();
        } else if (admission === 'trial') {
          if (verdict === 'fails') recess.begin();
          else recess.abandon();
        }
        return;
      }
      // What was under way when it opened says nothing new.
      if (isOpen || verdict === 'nothing') return;
      count(verdict);
      if (isTooMuch()) recess.begin();
    },
  };
}
