import type { Plugin } from 'graphql-yoga';
import { type RequestIds, requestIdHeader } from '../request-ids.ts';

/** Writes the id of the request into every response. */
export function useRequestId(ids: RequestIds): Plugin {
  return {
    onResponse({ request, response }) {
      response.headers.set(requestIdHeader, ids.of(request));
    },
  };
}
