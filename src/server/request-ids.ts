import type { Randomness } from '../kernel/clock.ts';
import { notesOf, type RequestView } from './request-view.ts';

/** The id of each request, for whoever answers, logs or calls upstream because of it. */
export interface RequestIds {
  of(request: RequestView): string;
}

export const requestIdHeader = 'x-request-id';
const plausible = /^[\w-]{8,64}$/;

/** Takes the caller's id if it is a plausible one and makes one otherwise; the same request always has the same. */
export function createRequestIds(randomness: Randomness): RequestIds {
  return {
    of(request) {
      const notes = notesOf(request);
      notes.id ??= offeredId(request) ?? randomness.uuid();
      return notes.id;
    },
  };
}

function offeredId({ headers }: RequestView): string | null {
  const offered = headers.get(requestIdHeader);
  return offered !== null && plausible.test(offered) ? offered : null;
}
