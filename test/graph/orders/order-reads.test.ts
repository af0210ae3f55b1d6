import { afterAll, expect, test } from 'vitest';
import { type EventStream, openStream } from '../../support/event-stream.ts';
import { openShop, type Payload } from '../purchases/shop.ts';
import { linesOf, placeOrder, readOrder, registration, runOrder } from './order-shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

test('orders are listed newest first, with pages and filters', async () => {
  const keys = ['listed-1', 'listed-2', 'listed-3'];
  for (const key of keys) await runOrder(shop, { idempotencyKey: key, lines: linesOf(key, 1) });

  const list = async (args: string) => {
    const fields =
      'totalCount nodes { key state } pageInfo { hasNextPage hasPreviousPage endCursor }';
    const { data } = await shop.gateway.query(`{ orders${args} { ${fields} } }`);
    return data.orders;
  };
  const first = await list('(first: 2)');
  const second = await list(`(first: 1, after: "${first.pageInfo.endCursor}")`);

  expect(first.nodes).toEqual([
    { key: 'listed-3', state: 'SUCCEEDED' },
    { key: 'listed-2', state: 'SUCCEEDED' },
  ]);
  expect(second.nodes).toEqual([{ key: 'listed-1', state: 'SUCCEEDED' }]);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  expect((await list('(filter: { created: { until: "2020-01-01" } })')).totalCount).toBe(0);
});

test('orders are nodes, and null for other ids', async () => {
  const { id } = await runOrder(shop, { idempotencyKey: 'a-node', lines: linesOf('node', 1) });

  const { data } = await shop.gateway.query(
    `query ($id: ID!) { node(id: $id) { id ... on Order { key } } order(by: { id: "other" }) { id } byKey: order(by: { key: " a-node " }) { id } }`,
    { id },
  );

  expect(data).toEqual({ node: { id, key: 'a-node' }, order: null, byKey: { id } });
});

test('orders report their progress, never more than is true, without upstream calls of their own', async () => {
  const { order } = await placeOrder(shop, { lines: linesOf('progress', 8) });
  const stream = await openStream(shop.gateway.url, {
    query: `subscription ($id: ID!) { orderProgress(id: $id) { order { state progress { waiting sending pending succeeded } } } }`,
    variables: { id: order.id },
  });

  const events = await stream.rest();

  const seen = events.slice(0, -1).map(({ data }) => data.data.orderProgress.order);
  expect(events.at(-1)).toEqual({ event: 'complete', data: null });
  expect(seen.at(-1)).toMatchObject({ state: 'SUCCEEDED', progress: { succeeded: 8 } });
  const succeeded = seen.map(({ progress }) => progress.succeeded);
  expect(succeeded).toEqual(succeeded.toSorted((one, other) => one - other));
  for (const { state, progress } of seen) {
    expect(progress.waiting + progress.sending + progress.succeeded).toBe(8);
    expect(state === 'SUCCEEDED').toBe(progress.succeeded === 8);
  }
  expect(await shop.gateway.countCalls()).toEqual({
    ...{ tldlist: 1, resellerdetails: 1, bulkcheckavailability: 1 },
    ...{ getdetails: 8, registerdomain: 8 },
  });
});

test('orders report the lines that changed to each follower, also to one that reads late', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const slow = { action: 'registerdomain', ms: 600 };
  await shop.arm('delay', { ...slow, domain: 'one-followed.com' });
  await shop.arm('delay', { ...slow, domain: 'six-followed.com' });
  const { order } = await placeOrder(shop, {
    lines: names.map((name) => registration(`${name}-followed.com`)),
  });
  const query = `subscription ($id: ID!) { orderProgress(id: $id) {
    order { state progress { waiting sending pending succeeded failed } }
    changed { position state purchase { state } errors { code } } } }`;
  const streams = await Promise.all(
    Array.from({ length: 4 }, () =>
      openStream(shop.gateway.url, { query, variables: { id: order.id } }),
    ),
  );
  const [late, ...others] = streams;
  const before = (await readOrder(shop, order.id)).lines;
  const rest = async (stream: EventStream | undefined) =>
    ((await stream?.rest()) ?? []).flatMap(({ event, data }) =>
      event === 'next' ? [data.data.orderProgress] : [],
    );
  const received = await Promise.all(others.map(rest));
  received.push(await rest(late));
  const ended = await readOrder(shop, order.id);

  for (const updates of received) {
    const changes = updates.map(({ changed }) => changed);
    expect(changes[0]).toEqual([]);
    const lines = new Map(before.map((line: Payload) => [line.position, line]));
    for (const line of changes.flat()) lines.set(line.position, line);
    expect(changes.slice(1).every(({ length }) => length > 0)).toBe(true);
    expect([...lines.values()]).toMatchObject(
      ended.lines.map(({ position, state, purchase, errors }: Payload) => ({
        ...{ position, state, purchase: purchase && { state: purchase.state } },
        errors: errors.map(({ code }: Payload) => ({ code })),
      })),
    );
    expect(updates.at(-1).order).toEqual({
      state: 'SUCCEEDED',
      progress: { waiting: 0, sending: 0, pending: 0, succeeded: 6, failed: 0 },
    });
  }
});

test('orders that do not exist have no progress', async () => {
  const stream = await openStream(shop.gateway.url, {
    query: 'subscription { orderProgress(id: "none") { order { state } } }',
  });

  const [event] = await stream.rest();

  expect(event?.data.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});
