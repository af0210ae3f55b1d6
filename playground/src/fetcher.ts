import type { Fetcher } from '@graphiql/toolkit';
import { readEvents } from './events.ts';
import { forgetKey, keyHeader, wrongKey } from './key.ts';

/** Asks the graph. An answer in pieces (a subscription, `@defer`, `@stream`) comes as events, any other as JSON. */
export const createFetcher =
  (graph: string): Fetcher =>
  async (params, options) => {
    const abort = new AbortController();
    const response = await fetch(graph, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...keyHeader(),
        ...options?.headers,
      },
      body: JSON.stringify(params),
      signal: abort.signal,
    });
    if (response.status === 401) forgetKey(wrongKey);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) return response.json();
    return endedByAbort(readEvents(response.body), abort);
  };

/** The stop button calls `return`, which must not wait for an event that may never come. */
function endedByAbort<Event>(events: AsyncGenerator<Event>, abort: AbortController) {
  const over = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next(): Promise<IteratorResult<Event>> {
      try {
        return await events.next();
      } catch (error) {
        if (abort.signal.aborted) return over;
        throw error;
      }
    },
    async return(): Promise<IteratorResult<Event>> {
      abort.abort();
      return over;
    },
  };
}
