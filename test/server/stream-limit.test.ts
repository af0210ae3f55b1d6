import { createSchema } from 'graphql-yoga';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { plainKey } from '../../src/config/api-keys.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';

const keys = ['one-key-of-sixteen-characters', 'another-key-of-sixteen-characters'];
let tick = Promise.withResolvers<void>();

const schema = createSchema({
  typeDefs: 'type Query { ok: Boolean, slow: Int } type Subscription { ticks: Int, broken: Int }',
  resolvers: {
    Query: { ok: () => true, slow: () => tick.promise.then(() => 1) },
    Subscription: {
      ticks: {
        async *subscribe() {
          yield { ticks: 1 };
          await tick.promise;
        },
      },
      broken: {
        subscribe() {
          throw new Error('no source');
        },
      },
    },
  },
});

let app: TestApp;
const start = async (inAll: number, perCaller: number, hasKeys = false) => {
  tick = Promise.withResolvers();
  const [own = '', other = ''] = keys;
  const named = [plainKey(own), { ...plainKey(other), name: 'other' }];
  app = await startApp({
    schema,
    settings: {
      maxStreams: inAll,
      maxStreamsPerCaller: perCaller,
      ...(hasKeys && { auth: { kind: 'keys', keys: named } }),
    },
  });
};
afterEach(async () => {
  tick.resolve();
  await app.close();
});

const follow = (query = 'subscription { ticks }', key = '') =>
  openStream(app.url, { query, headers: { accept: 'text/event-stream', 'x-api-key': key } });
/** An open stream after its first event. */
const followOne = async (key?: string) => {
  const stream = await follow(undefined, key);
  await stream.next();
  return stream;
};
const refusalOf = async (key?: string) => {
  const stream = await follow(undefined, key);
  const [event] = await stream.rest();
  return event?.data.errors?.[0].extensions ?? null;
};
/** Waits until the slot of an ended stream is released. */
const isFree = (key?: string) =>
  vi.waitFor(async () => {
    const stream = await follow(undefined, key);
    const event = await stream.next();
    stream.hangUp();
    expect(event?.data.data).toEqual({ ticks: 1 });
  });

describe('open streams', () => {
  test('are limited per caller, and one more is refused with RATE_LIMITED', async () => {
    await start(10, 2);
    await followOne();
    await followOne();

    expect(await refusalOf()).toMatchObject({
      code: 'RATE_LIMITED',
      executed: 'NO',
      retryable: true,
    });
    expect((await app.post({ query: '{ ok }' })).body.data).toEqual({ ok: true });
  });

  test('are limited per caller and in total', async () => {
    await start(2, 1, true);
    await followOne(keys[0]);

    expect(await refusalOf(keys[0])).toMatchObject({ code: 'RATE_LIMITED' });
    await followOne(keys[1]);
    await app.close();

    await start(1, 5, true);
    await followOne(keys[0]);
    expect(await refusalOf(keys[1])).toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('include deferred responses', async () => {
    await start(1, 1);
    const response = await app.request('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
      body: JSON.stringify({ query: '{ ok ... @defer { slow } }' }),
    });

    expect(await refusalOf()).toMatchObject({ code: 'RATE_LIMITED' });
    tick.resolve();
    expect(await response.text()).toContain('"slow":1');
    await isFree();
  });

  test.each<[string, () => Promise<void>]>([
    ['the client disconnects', async () => (await followOne()).hangUp()],
    [
      'the stream completes',
      async () => {
        const stream = await followOne();
        tick.resolve();
        await stream.rest();
      },
    ],
    [
      'the stream fails to start',
      async () => void (await (await follow('subscription { broken }')).rest()),
    ],
    [
      'the stream is refused',
      async () => void (await (await follow('subscription { nothing }')).rest()),
    ],
  ])('release their slot when %s', async (_how, end) => {
    await start(1, 1);

    await end();

    await isFree();
  });
});
