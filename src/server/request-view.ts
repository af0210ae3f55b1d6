import type { Caller } from '../kernel/caller.ts';

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
  /** What an onlooker at upstream calls knows it by. */
  trace?: unknown;
  /** What answers it, once it is known. */
  scope?: object;
}

const elsewhere = new WeakMap<RequestView, RequestNotes>();

/** The same object for the same request. */
export function notesOf(request: RequestView): RequestNotes {
  const known = request.notes ?? elsewhere.get(request);
  if (known) return known;
  const notes: RequestNotes = {};
  elsewhere.set(request, notes);
  return notes;
}
