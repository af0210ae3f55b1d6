import type { Clock, Randomness } from '../../kernel/clock.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';

/** What may be sent again, by name. A call that is not listed here is sent once, whatever its row says. */
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

/** Failures of the way there and back. `UPSTREAM_PROTOCOL` only where the fault says that another try may help. */
const transient: ReadonlySet<FaultCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
  'RATE_LIMITED',
]);

export interface RetryOptions<T, Pass> {
  readonly action: string;
  /** Leave to send an attempt. What it throws ends the call: nobody tries again what must not be sent. */
  readonly enter: () => Promise<Pass>;
  /** `number` is 1 for the first. */
  readonly attempt: (number: number, pass: Pass) => Promise<T>;
  /** For all attempts and pauses together, in milliseconds. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Whether one more attempt is allowed after this fault; called for each. */
  readonly mayRepeat: (fault: Fault) => boolean;
  /** Ends a pause with its reason. */
  readonly signal?: AbortSignal;
}

/** At most three attempts at a listed read within one deadline, with full jitter between them. */
export async function withRetries<T, Pass>(options: RetryOptions<T, Pass>): Promise<T> {
  const { action, enter, attempt, deadlineMs, clock, randomness, mayRepeat, signal } = options;
  const endsAtMs = clock.monotonicMs() + deadlineMs;
  const attempts = repeatable.has(action) ? mostAttempts : 1;
  for (let number = 1; ; number += 1) {
    const pass = await enter();
    try {
      return await attempt(number, pass);
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

/** Null when the service asks for more patience than a caller has. */
function pauseBefore(number: number, askedMs: number | undefined, randomness: Randomness) {
  if (askedMs !== undefined && askedMs > longestPauseMs) return null;
  const ceilingMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (number - 1));
  return (askedMs ?? 0) + randomness.fraction() * ceilingMs;
}
