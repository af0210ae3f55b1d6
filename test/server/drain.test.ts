import { createSchema } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { requestPaths } from '../support/request-paths.ts';

/** A graph with the field `slow`, which receives the signal of its request. */
const slowSchema = (slow: (signal: AbortSignal) => Promise<string>) =>
  createSchema<{ signal: () => AbortSignal }>({
    typeDefs: 'type Query { slow: String }',
    resolvers: { Query: { slow: (_root, _args, { signal }) => slow(signal()) } },
  });

const slowRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: '{ slow }' }),
};

describe.each(requestPaths)('on %s', (_name, way) => {
  test('an error after the client disconnected is not logged as a bug', async () => {
    const hungUp = Promise.withResolvers<void>();
    const failing = Promise.withResolvers<string>();
    const schema = slowSchema((signal) => {
      signal.addEventListener('abort', () => {
        failing.reject(new Error('aborted'));
        hungUp.resolve();
      });
      abort.abort();
      return failing.promise;
    });
    const abort = new AbortController();
    const app = await startApp({ ...way, schema });

    await expect(
      app.request('/graphql', { ...slowRequest, signal: abort.signal }),
    ).rejects.toThrow();
    await hungUp.promise;
    await app.close();

    expect(app.lines).toEqual([]);
  });

  test('every signal derived from that of a disconnected client is aborted, also later', async () => {
    const seen = Promise.withResolvers<readonly boolean[]>();
    const schema = slowSchema((signal) => {
      const [one, two] = [AbortSignal.any([signal]), AbortSignal.any([signal])];
      one.addEventListener('abort', () => {
        const later = AbortSignal.any([signal]);
        seen.resolve([signal, one, two, later].map(({ aborted }) => aborted));
      });
      caller.abort();
      return new Promise(() => undefined);
    });
    const caller = new AbortController();
    const app = await startApp({ ...way, schema });

    await expect(
      app.request('/graphql', { ...slowRequest, signal: caller.signal }),
    ).rejects.toThrow();

    expect(await seen.promise).toEqual([true, true, true, true]);
    await app.close();
  });
});
