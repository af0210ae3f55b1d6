import type { Caller } from '../kernel/caller.ts';
import type { FaultCode } from '../kernel/faults.ts';
import type { OperationFacts, RequestTrace } from '../observability/tracing.ts';
import type { Estimate } from './cost/estimate.ts';
import type { RequestScope } from './request-scope.ts';

/** A request as every rule of the server looks at it; a Fetch `Request` is one. */
export interface RequestView {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /** Where rules note down what they found out, for a request that has room for it. */
  readonly notes?: RequestNotes;
}

/** What rules found out about a request, each member written by one of them. */
export interface RequestNotes {
  id?: string;
  caller?: Caller;
  /** What answers it, once it is known. */
  scope?: RequestScope;
  /** What it takes, once its document is known. */
  estimate?: Estimate;
  /** What is executed for it. */
  operation?: OperationFacts;
  /** That its answer is one that was told before. */
  isRepeated?: true;
  /** The codes of the errors in its answer, each once. */
  codes?: Set<FaultCode>;
  trace?: RequestTrace;
}

const elsewhere = new WeakMap<RequestView, RequestNotes>();

/** Makes `notes` those of a request that has no room for them. */
export const giveNotes = (request: RequestView, notes: RequestNotes): void =>
  void elsewhere.set(request, notes);

/** The same object for the same request. */
export function notesOf(request: RequestView): RequestNotes {
  const known = request.notes ?? elsewhere.get(request);
  if (known) return known;
  const notes: RequestNotes = {};
  elsewhere.set(request, notes);
  return notes;
}
