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

/** GraphiQL calls `return` at the end too. For the stop button it must not wait for an event that may never come. */
function endedByAbort<Event>(events: AsyncGenerator<Event>, abort: AbortController) {
  const over = { done: true, value: undefined } as const;
  let hasEnded = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next(): Promise<IteratorResult<Event>> {
      try {
        const result = await events.next();
        hasEnded = result.done === true;
        return result;
      } catch (error) {
        if (abort.signal.aborted) return over;
        throw error;
      }
    },
    async return(): Promise<IteratorResult<Event>> {
      if (!hasEnded) abort.abort();
      return over;
    },
  };
}
