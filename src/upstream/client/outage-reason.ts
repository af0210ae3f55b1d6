import type { Fault } from '../../kernel/faults.ts';
import { type FailureReason, failureOfCode } from '../../lib/failure-sentence.ts';

/** Why the upstream is unavailable. */
export interface OutageReason {
  /** `response` for a response that says so, such as one with the status 502. */
  readonly label: FailureReason | 'response';
  readonly sentence: string;
}

/** Why an attempt found the upstream unavailable; null for any other fault. It has nothing of a request or a response but the status. */
export function outageReasonOf(
  { code, cause }: Pick<Fault, 'code' | 'cause'>,
  status?: number,
): OutageReason | null {
  if (code === 'UPSTREAM_TIMEOUT') {
    return { label: 'timeout', sentence: 'The endpoint did not respond in time.' };
  }
  if (code !== 'UPSTREAM_UNAVAILABLE') return null;
  // A connection that failed has a cause.
  if (status !== undefined || cause === undefined) {
    const known = status === undefined ? '' : ` (status ${status})`;
    const sentence = `The endpoint responded that it is not available${known}.`;
    return { label: 'response', sentence };
  }
  if (typeof cause !== 'string') return { label: 'other', sentence: 'The connection failed.' };
  const { reason, sentence } = failureOfCode(cause);
  return { label: reason, sentence };
}
