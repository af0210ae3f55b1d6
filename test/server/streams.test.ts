import { connect } from 'node:net';
import type { GraphQLResolveInfo } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { afterAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/lib/system.ts';
import { isStreamed } from '../../src/schema/incremental-delivery.ts';
import { startApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';

let pulled = 0;
const large = 'x'.repeat(10_000);

const schema = createSchema({
  typeDefs: /* GraphQL */ `
    type Query { numbers: [Int] items: [Item!] slowItems: [Item!] }
    type Item { id: Int late: Int needed: Int! lateNeeded: Int! }
    type Subscription { endless: String idle: String }
  `,
  resolvers: {
    Query: {
      async numbers(_root, _args, _context, info: GraphQLResolveInfo) {
        if (!isStreamed(info)) return [];
        return (async function* () {
          yield* [1, 2, 3];
          await systemClock.wait(20);
          yield* [4, 5];
        })() as never;
      },
      items: () => [{ id: 0 }, { id: 1 }, { id: 2 }],
      slowItems: () =>
        (async function* () {
          yield { id: 0 };
          await systemClock.wait(50);
          yield { id: 1 };
        })() as never,
    },
    Item: {
      late: async ({ id }) => {
        await systemClock.wait(10 * (3 - id));
        return id;
      },
      lateNeeded: async ({ id }) => {
        await systemClock.wait(id);
        throw new Error('deliberate');
      },
      needed: ({ id }) => {
        if (id === 1) throw new Error('deliberate');
        return id;
      },
    },
    Subscription: {
      endless: {
        async *subscribe() {
          for (;;) {
            pulled += 1;
            yield { endless: large };
          }
        },
      },
      idle: {
        async *subscribe() {
          yield { idle: 'first' };
          await new Promise(() => undefined);
        },
      },
    },
  },
});

const app = await startApp({ schema });
afterAll(() => app.close());

const partsOf = async (query: string) =>
  (await (await openStream(app.url, { query })).rest()).slice(0, -1).map(({ data }) => data);

test('items that are ready in one turn are one part, and the last part ends the list', async () => {
  expect(await partsOf('{ numbers @stream(label: "n") }')).toMatchObject([
    { data: { numbers: [] }, hasNext: true },
    { incremental: [{ items: [1, 2, 3], path: ['numbers', 0], label: 'n' }], hasNext: true },
    { incremental: [{ items: [4, 5], path: ['numbers', 3], label: 'n' }], hasNext: false },
  ]);
});

test('items are in their order when a later one is complete first', async () => {
  const parts = await partsOf('{ items @stream(initialCount: 1) { id late } }');
  const items = parts.flatMap(({ incremental = [] }) =>
    incremental.flatMap((one: { items: object[] }) => one.items),
  );

  expect(parts[0].data).toEqual({ items: [{ id: 0, late: 0 }] });
  expect(items).toEqual([
    { id: 1, late: 1 },
    { id: 2, late: 2 },
  ]);
});

test('an item that must not be null ends the list with its error', async () => {
  const parts = await partsOf('{ items @stream { id needed } }');

  expect(parts.slice(1)).toMatchObject([
    {
      incremental: [
        { items: [{ id: 0, needed: 0 }], path: ['items', 0] },
        { items: null, path: ['items', 1], errors: [{ path: ['items', 1, 'needed'] }] },
      ],
      hasNext: false,
    },
  ]);
});

test('a first item that fails while others are read makes the list null', async () => {
  const parts = await partsOf('{ slowItems @stream(initialCount: 2) { id lateNeeded } }');

  expect(parts).toMatchObject([
    { data: { slowItems: null }, errors: [{ path: ['slowItems', 0, 'lateNeeded'] }] },
  ]);
});

test('before a stop a subscription is completed, and a list is sent to its end', async () => {
  const idle = await openStream(app.url, { query: 'subscription { idle }' });
  const list = await openStream(app.url, { query: '{ numbers @stream }' });
  await Promise.all([idle.next(), list.next()]);

  await app.endStreams();

  expect(await idle.rest()).toEqual([{ event: 'complete', data: null }]);
  const items = (await list.rest()).flatMap(({ data }) =>
    (data?.incremental ?? []).flatMap((one: { items: number[] }) => one.items),
  );
  expect(items).toEqual([1, 2, 3, 4, 5]);
});

test('a client that reads nothing stops the source', async () => {
  const body = JSON.stringify({ query: 'subscription { endless }' });
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause();
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await vi.waitFor(() => expect(pulled).toBeGreaterThan(100));
  let before = 0;
  // A source that is not stopped is pulled in each turn.
  await vi.waitFor(async () => {
    before = pulled;
    await systemClock.wait(200);
    expect(pulled).toBe(before);
  });

  socket.resume();
  await vi.waitFor(() => expect(pulled).toBeGreaterThan(before));
  socket.destroy();
});

test('an event stream without events has comments, which keep the connection open', async () => {
  let pings = 0;
  const deadline: typeof systemClock.deadline = (ms, abort) => {
    pings += Number(ms > 1_000);
    return systemClock.deadline(ms > 1_000 && pings <= 3 ? 20 : ms, abort);
  };
  const idle = await startApp({ schema, clock: { ...systemClock, deadline } });
  const leaving = new AbortController();
  const response = await fetch(`${idle.url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'subscription { idle }' }),
    signal: leaving.signal,
  });
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.split(':\n\n').length > 3 && text.includes('first')) break;
  }
  leaving.abort();
  await idle.close();

  expect(text.split(':\n\n').length).toBeGreaterThan(3);
});
