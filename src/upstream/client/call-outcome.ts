import type { Fault, FaultCode } from '../../kernel/faults.ts';
import type { Verdict } from '../policies/circuit-breaker.ts';
import type { LoadSignal } from '../policies/concurrency.ts';
import { isLoginRefused } from '../policies/login-pause.ts';

/** How an attempt ended. */
export interface CallOutcome {
  /** Null for a success. */
  readonly fault: Fault | null;
  /** HTTP status; undefined without a reply. */
  readonly status: number | undefined;
  /** Whether the attempt was given up before the upstream had its usual time, by an abort or a short deadline. */
  readonly isCutShort: boolean;
  readonly durationMs: number;
}

/** Failures of the connection or of the reply. */
const transportFaults: ReadonlySet<FaultCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
]);

/** What the outcome shows to the circuit breaker. An error code of the upstream with a status below 500 is an answer. */
export function verdictOf({ fault, status, isCutShort }: CallOutcome): Verdict {
  const isAnswer = status !== undefined && status < 500 && (!fault || fault.upstream);
  if (isAnswer) return 'works';
  if (fault && transportFaults.has(fault.code)) {
    return fault.code === 'UPSTREAM_TIMEOUT' && isCutShort ? 'nothing' : 'fails';
  }
  return status === undefined ? 'nothing' : 'works';
}

/** What the outcome shows about the upstream's load; null for nothing. */
export function loadOf(outcome: CallOutcome): LoadSignal | null {
  const { fault, status } = outcome;
  const isRejected = fault?.code === 'RATE_LIMITED' || fault?.facts.retryAfterMs !== undefined;
  if (status === 429 || isRejected) return 'rejected';
  const verdict = verdictOf(outcome);
  if (verdict === 'nothing') return null;
  return verdict === 'fails' ? 'failed' : 'accepted';
}

/** The fault that refused the login; null when the upstream accepted it; undefined when the outcome does not show it. */
export function loginRefusalOf({ fault, status }: CallOutcome): Fault | null | undefined {
  if (fault && isLoginRefused(fault)) return fault;
  return status !== undefined && (!fault || fault.upstream) ? null : undefined;
}
