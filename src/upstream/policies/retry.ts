import { Fault, type FaultCode } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';

/** Attempts at one call. A write is sent once: its second copy might buy or delete something else. */
const mostAttempts = { read: 3, write: 1 };
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** Failures that may pass; a fault is retried only if it is also `retryable`. */
const transient: ReadonlySet<FaultCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
  'RATE_LIMITED',
]);

export interface RetryOptions<T, Permit> {
  readonly effect: 'read' | 'write';
  /** Waits for permission to send an attempt. A refusal ends the call: it is not retried. */
  readonly enter: () => Promise<Permit>;
  /** `number` is 1 for the first. */
  readonly attempt: (number: number, permit: Permit) => Promise<T>;
  /** For all attempts and pauses together, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Whether another attempt is allowed after this fault; called once per attempt. */
  readonly mayRepeat: (fault: Fault) => boolean;
  /** Ends a pause between attempts. */
  readonly signal?: AbortSignal;
}

/** Up to three attempts at a read within one deadline, with full jitter between them; one attempt at a write. */
export async function withRetries<T, Permit>(options: RetryOptions<T, Permit>): Promise<T> {
  const { effect, enter, attempt, deadlineMs, clock, randomness, mayRepeat, signal } = options;
  const endsAtMs = clock.monotonicMs() + deadlineMs;
  for (let number = 1; ; number += 1) {
    const permit = await enter();
    try {
      return await attempt(number, permit);
    } catch (error) {
      if (number >= mostAttempts[effect] || !isTransient(error)) throw error;
      const pauseMs = pauseBefore(number, error.facts.retryAfterMs, randomness);
      if (pauseMs === null || clock.monotonicMs() + pauseMs >= endsAtMs) throw error;
      if (!mayRepeat(error)) throw error;
      await clock.wait(pauseMs, signal);
    }
  }
}

const isTransient = (error: unknown): error is Fault =>
  error instanceof Fault && error.retryable && transient.has(error.code);

/** Milliseconds before the next attempt; null when the upstream asks for a longer pause than a client would wait. */
function pauseBefore(number: number, retryAfterMs: number | undefined, randomness: Randomness) {
  if (retryAfterMs !== undefined && retryAfterMs > longestPauseMs) return null;
  const ceilingMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (number - 1));
  return (retryAfterMs ?? 0) + randomness.fraction() * ceilingMs;
}
