import { Fault, type FaultCode } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';

/** Actions that are retried. Every other action is sent once, whatever its row says. */
export const repeatable: ReadonlySet<string> = new Set([
  'bulkcheckavailability',
  'getcontacts',
  'getdetails',
  'getdomainlist',
  'resellerdetails',
  'singlecheckavailability',
  'tldlist',
]);

const mostAttempts = 3;
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
  readonly action: string;
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

/** Up to three attempts at a listed read within one deadline, with full jitter between them. */
export async function withRetries<T, Permit>(options: RetryOptions<T, Permit>): Promise<T> {
  const { action, enter, attempt, deadlineMs, clock, randomness, mayRepeat, signal } = options;
  const endsAtMs = clock.monotonicMs() + deadlineMs;
  const attempts = repeatable.has(action) ? mostAttempts : 1;
  for (let number = 1; ; number += 1) {
    const permit = await enter();
    try {
      return await attempt(number, permit);
    } catch (error) {
      if (number >= attempts || !isTransient(error)) throw error;
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
