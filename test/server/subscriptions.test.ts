import { createSchema } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainKey } from '../../src/config/credentials.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import { requestPaths } from '../support/request-paths.ts';

describe.each(requestPaths)('on %s', (_name, way) => {
  const secret = 'hunter2';
  const bug = () => new TypeError(`the password is ${secret}`);

  /** Resolves when the subscription `never` ends. */
  let returned = Promise.withResolvers<void>();

  const schema = createSchema({
    typeDefs: /* GraphQL */ `
    type Query { ok: Boolean }
    type Mutation { spend: Boolean }
    type Subscription { ticks: Int, never: Int, noSource: Int, noTick: Int, brokenSource: Int, refused: Int }
  `,
    resolvers: {
      Subscription: {
        ticks: {
          async *subscribe() {
            yield { ticks: 1 };
            yield { ticks: 2 };
          },
        },
        never: {
          subscribe: () => ({
            next: () => new Promise(() => undefined),
            async return() {
              returned.resolve();
              return { done: true, value: undefined };
            },
            [Symbol.asyncIterator]() {
              return this;
            },
          }),
        },
        noSource: {
          subscribe() {
            throw bug();
          },
        },
        noTick: {
          async *subscribe() {
            yield {};
          },
          resolve() {
            throw bug();
          },
        },
        brokenSource: {
          async *subscribe() {
            yield { brokenSource: 1 };
            throw bug();
          },
        },
        refused: {
          async *subscribe() {
            yield {};
          },
          resolve() {
            throw new Fault('NOT_FOUND');
          },
        },
      },
    },
  });

  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ ...way, schema });
  });
  afterAll(() => app.close());

  const complete = { event: 'complete', data: null };
  const follow = (field: string) => openStream(app.url, { query: `subscription { ${field} }` });

  test('a subscription sends one response per event and completes', async () => {
    const events = await (await follow('ticks')).rest();

    expect(events).toMatchObject([
      { event: 'next', data: { data: { ticks: 1 } } },
      { event: 'next', data: { data: { ticks: 2 } } },
      complete,
    ]);
  });

  describe('a bug in a subscription is INTERNAL with a fixed message', () => {
    test.each([
      ['before the first event', 'noSource', 0],
      ['in an event', 'noTick', 0],
      ['between two events', 'brokenSource', 1],
    ])('%s', async (_where, field, before) => {
      const linesBefore = app.lines.length;

      const events = await (await follow(field)).rest();

      expect(events.slice(before)).toMatchObject([
        {
          event: 'next',
          data: {
            errors: [
              {
                message: 'The gateway failed because of an internal error.',
                extensions: { code: 'INTERNAL', requestId: expect.any(String) },
              },
            ],
          },
        },
        complete,
      ]);
      expect(JSON.stringify(events)).not.toContain(secret);
      const [line, ...more] = app.lines.slice(linesBefore);
      expect(more).toEqual([]);
      expect(JSON.stringify(line)).toContain('test/server/subscriptions.test.ts');
    });

    test('a fault in an event is returned with its message and is not logged', async () => {
      const linesBefore = app.lines.length;

      const [next] = await (await follow('refused')).rest();

      expect(next?.data.errors).toMatchObject([
        {
          message: 'The account has no such object.',
          path: ['refused'],
          extensions: { code: 'NOT_FOUND', executed: 'NO' },
        },
      ]);
      expect(app.lines.slice(linesBefore)).toEqual([]);
    });
  });

  test('an invalid document is an error event', async () => {
    const stream = await follow('nothing');

    expect(stream.status).toBe(200);
    expect(await stream.rest()).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'INVALID_REQUEST' } }] } },
      complete,
    ]);
  });

  test('a client that disconnects ends its subscription at once', async () => {
    returned = Promise.withResolvers();
    const linesBefore = app.lines.length;
    const stream = await follow('never');

    stream.hangUp();

    await returned.promise;
    expect(app.lines.slice(linesBefore)).toEqual([]);
  });

  describe('a subscription without an accepted event stream is refused with 406 before it starts', () => {
    test.each([
      'application/json',
      'application/graphql-response+json',
      'multipart/mixed, text/html',
    ])('%s', async (accept) => {
      const response = await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query: 'subscription { never }' }),
      });

      expect(response.status).toBe(406);
      if (accept.startsWith('application')) {
        expect((await response.json()).errors).toMatchObject([
          {
            message: 'A subscription is an event stream; send `accept: text/event-stream`.',
            extensions: { code: 'INVALID_REQUEST', executed: 'NO' },
          },
        ]);
      }
    });

    test.each(['*/*', 'text/*;q=0.5', 'application/json, text/event-stream'])(
      'accept %s is served',
      async (accept) => {
        const query = 'subscription { ticks }';
        const stream = await openStream(app.url, { query, headers: { accept } });

        expect(stream.headers.get('content-type')).toBe('text/event-stream');
        expect(stream.headers.get('x-accel-buffering')).toBe('no');
        expect(await stream.rest()).toHaveLength(3);
      },
    );
  });

  describe('a stream has the rules of a request:', () => {
    test('the API key', async () => {
      const key = 'a-key-of-sixteen-characters';
      const auth = { kind: 'keys', keys: [plainKey(key)] } as const;
      const guarded = await startApp({ ...way, schema, settings: { auth } });
      const open = (method: 'GET' | 'POST', headers = {}) =>
        openStream(guarded.url, { query: 'subscription { ticks }', method, headers });

      const without = [await open('GET'), await open('POST')];
      const withIt = await open('GET', { 'x-api-key': key });
      const events = await withIt.rest();
      const refusals = await Promise.all(without.map((stream) => stream.rest()));
      await guarded.close();

      expect(without.map(({ status }) => status)).toEqual([401, 401]);
      for (const refusal of refusals) {
        expect(refusal[0]?.data.errors[0].extensions.code).toBe('UNAUTHENTICATED');
        expect(refusal[0]?.data.data).toBeUndefined();
      }
      expect(events).toHaveLength(3);
    });

    test('the content type', async () => {
      const response = await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'text/plain', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { ticks }' }),
      });

      expect(response.status).toBe(415);
      expect(await response.text()).not.toContain('ticks');
    });

    test('the host name', async () => {
      const { request } = await import('node:http');
      const headers = { host: 'rebound.example', accept: 'text/event-stream' };
      const status = await new Promise((resolve) => {
        request(`${app.url}/graphql?query=subscription%7Bticks%7D`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end();
      });

      expect(status).toBe(421);
    });

    test('no mutation by GET', async () => {
      const stream = await openStream(app.url, { query: 'mutation { spend }', method: 'GET' });

      expect(stream.status).toBe(405);
    });
  });
});
