import type { Fault, FaultCode } from '../../kernel/faults.ts';

/** The pause unless the upstream requests another. */
const pauseMs = 5_000;
/** A longer pause is cut, so that the end of the reason is noticed. */
const maxPauseMs = 60_000;

/** Reasons that hold for all items, and not for one domain only. */
const ofAllItems: ReadonlySet<FaultCode> = new Set([
  'OVERLOADED',
  'PURCHASES_STOPPED',
  'RATE_LIMITED',
  'UPSTREAM_AUTH',
]);

/** The pause of an item after a fault that may pass, or without a fault before its next read. */
export function pauseAfter(fault?: Pick<Fault, 'code'> & Partial<Pick<Fault, 'facts'>>) {
  const { retryAfterMs } = fault?.facts ?? {};
  return {
    pauseMs: Math.min(retryAfterMs ?? pauseMs, maxPauseMs),
    pausesAll: retryAfterMs !== undefined || (fault !== undefined && ofAllItems.has(fault.code)),
  };
}
