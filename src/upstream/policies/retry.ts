import { Fault, type FaultCode } from '../../kernel/faults.ts';
import type { Randomness } from '../../lib/clock.ts';
import { isRefusedInWords } from './login-pause.ts';

/** Attempts at one call. A write is sent once: its second copy might buy or delete something else. */
const maxAttempts = { read: 3, write: 1 };
const firstPauseMs = 200;
const maxPauseMs = 2_000;

/** Failures of the connection or of the reply. */
export const transportFaults: ReadonlySet<FaultCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
]);

/** Whether a failure may pass. */
const isTransient = (fault: Fault): boolean =>
  fault.retryable && (transportFaults.has(fault.code) || fault.code === 'RATE_LIMITED');

/**
 * Milliseconds before the next attempt, with full jitter; null when `error` ends the call, or when the upstream requests a
 * longer pause than a client would wait. `attempt` is the number of the one that failed, 1 for the first.
 */
export function pauseBeforeRetry(
  error: unknown,
  attempt: number,
  effect: 'read' | 'write',
  randomness: Randomness,
): number | null {
  if (!(error instanceof Fault) || attempt >= maxAttempts[effect]) return null;
  const isDoubtful = attempt === 1 && isRefusedInWords(error);
  if (!isTransient(error) && !isDoubtful) return null;
  const { retryAfterMs = 0 } = error.facts;
  if (retryAfterMs > maxPauseMs) return null;
  const ceilingMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1));
  return retryAfterMs + randomness.fraction() * ceilingMs;
}
