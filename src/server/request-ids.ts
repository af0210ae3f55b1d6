import type { Randomness } from '../kernel/clock.ts';

/** The id of each request, for whoever answers, logs or calls upstream because of it. */
export interface RequestIds {
  of(request: Request): string;
}

export const requestIdHeader = 'x-request-id';
const plausible = /^[\w-]{8,64}$/;

/** Takes the caller's id if it is a plausible one and makes one otherwise; the same request always has the same. */
export function createRequestIds(randomness: Randomness): RequestIds {
  const ids = new WeakMap<Request, string>();
  return {
    of(request) {
      const known = ids.get(request);
      if (known) return known;
      const offered = request.headers.get(requestIdHeader) ?? '';
      const id = plausible.test(offered) ? offered : randomness.uuid();
      ids.set(request, id);
      return id;
    },
  };
}
