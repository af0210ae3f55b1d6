import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TokenBuckets } from '../../lib/token-bucket.ts';
import { WaitQueue } from '../../lib/waits.ts';

interface RateLimitOptions {
  readonly clock: Clock;
  /** Attempts per second. */
  readonly perSecond: number;
  readonly buckets: TokenBuckets;
  /** The bucket of this account and API. */
  readonly key: string;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Limits how many attempts begin per second. Urgent attempts leave the queue first. */
export function createRateLimit({ clock, perSecond, buckets, key }: RateLimitOptions) {
  const urgent = new WaitQueue();
  const others = new WaitQueue();
  const rate = { capacity: perSecond, perSecond };
  let isDraining = false;

  /** Takes the token first and then picks the attempt, so that an urgent one that arrives during the wait goes first. */
  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    while (urgent.size + others.size > 0) {
      const { waitMs } = buckets.take(key, 1, rate, true);
      if (waitMs > 0) await clock.wait(waitMs);
      if (!urgent.wakeNext()) others.wakeNext();
    }
    isDraining = false;
  }

  return {
    /** @throws Fault `RATE_LIMITED` when the queue is too long for an attempt that must be sent before `endsAtMs`. */
    check(isUrgent: boolean, endsAtMs: number): void {
      const ahead = urgent.size + (isUrgent ? 0 : others.size);
      const waitMs = (ahead * 1_000) / perSecond;
      if (clock.monotonicMs() + waitMs < endsAtMs) return;
      throw new Fault('RATE_LIMITED', {
        message:
          'The gateway has reached its limit of calls per second to the registrar. Try again later.',
        executed: 'NO',
        facts: { retryAfterMs: Math.ceil(waitMs) },
      });
    },
    /** Waits for a token; rejects with the signal's reason when it aborts first. */
    async wait(isUrgent: boolean, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      const turn = (isUrgent ? urgent : others).wait(signal);
      void drain();
      await turn;
    },
  };
}
