import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { lazy } from '../../lib/lazy.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { requestFault } from '../http/request-fault.ts';
import { setCommonHeaders } from '../http/responses.ts';
import { acceptForYoga } from './delivery.ts';
import type { CheckedStreams } from './pending-parts.ts';
import type { ServerContext, YogaOptions } from './yoga.ts';

/** Its own type has no server context. */
type YogaListener = (
  request: object,
  response: ServerResponse,
  context: ServerContext,
) => Promise<void>;

/**
 * Responds to every request to the graph that the fast path leaves: GET, subscriptions, `@defer` and `@stream`. The first one
 * loads Yoga, which loads the `fetch` of Node.
 */
export function createYogaPath(options: Omit<YogaOptions, 'openStreams' | 'checkedStreams'>) {
  const openStreams = new Set<AsyncIterable<unknown>>();
  const checkedStreams: CheckedStreams = new Set();
  const listener = lazy(async () => {
    const { openYoga } = await import('./yoga.ts');
    const { requestListener } = openYoga({ ...options, openStreams, checkedStreams });
    return requestListener as unknown as YogaListener;
  });
  return {
    /** `body` is that of a request whose body was read. @throws GraphQLError 406 for a client that accepts no response. */
    async process(httpRequest: HttpRequest, body?: Buffer): Promise<void> {
      const { response, method, target: url } = httpRequest;
      const accept = acceptForYoga(httpRequest.header('accept'));
      if (accept === '') throw notAcceptable();
      setCommonHeaders(httpRequest);
      const headers = { ...httpRequest.headers, accept };
      // Not `node`: frameworks add members to it that Yoga would use.
      const request = { method, url, headers, body: Readable.from([]) };
      const listen = await listener();
      void listen(request, response, { httpRequest, body });
    },
    /** Ends the streams whose credential is no longer valid, without waiting for their next part. */
    checkStreams: (): void => {
      // After an unexpected error the stream continues; its next part meets the same error.
      for (const stream of checkedStreams) stream.check().catch(() => undefined);
    },
    async endStreams(): Promise<void> {
      await Promise.all([...openStreams].map((one) => one[Symbol.asyncIterator]().return?.()));
    },
  };
}

const notAcceptable = () =>
  requestFault(
    'INVALID_REQUEST',
    'The header `accept` excludes every media type of a response; send `accept: application/graphql-response+json`.',
    406,
  );
