import type { Layer } from '../layer.ts';
import { type RequestIds, requestIdHeader } from '../request-ids.ts';

/** Writes the id of the request into every response. */
export const useRequestId = (ids: RequestIds): Layer => ({
  full: {
    onResponse({ request, response }) {
      response.headers.set(requestIdHeader, ids.of(request));
    },
  },
  plain: { headers: (request) => ({ [requestIdHeader]: ids.of(request) }) },
});
