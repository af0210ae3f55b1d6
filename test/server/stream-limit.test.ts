import { createSchema } from 'graphql-yoga';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';

let tick = Promise.withResolvers<void>();

const schema = createSchema({
  typeDefs: 'type Query { ok: Boolean } type Subscription { ticks: Int, broken: Int }',
  resolvers: {
    Query: { ok: () => true },
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
const start = async (maxStreamsPerCaller: number) => {
  tick = Promise.withResolvers();
  app = await startApp({ schema, settings: { maxStreamsPerCaller } });
};
afterEach(async () => {
  tick.resolve();
  await app.close();
});

const follow = (query = 'subscription { ticks }') => openStream(app.url, { query });
/** An open stream after its first event. */
const followOne = async () => {
  const stream = await follow();
  await stream.next();
  return stream;
};
/** Waits until the slot of an ended stream is released. */
const isFree = () =>
  vi.waitFor(async () => {
    const stream = await follow();
    const event = await stream.next();
    stream.hangUp();
    expect(event?.data.data).toEqual({ ticks: 1 });
  });

describe('open streams', () => {
  test('are limited per caller, and one more is refused with RATE_LIMITED', async () => {
    await start(2);
    await followOne();
    await followOne();
    const [refused] = await (await follow()).rest();

    expect(refused?.data.errors[0].extensions).toMatchObject({
      ...{ code: 'RATE_LIMITED', executed: 'NO', retryable: true },
    });
    expect((await app.post({ query: '{ ok }' })).body.data).toEqual({ ok: true });
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
    await start(1);

    await end();

    await isFree();
  });
});
