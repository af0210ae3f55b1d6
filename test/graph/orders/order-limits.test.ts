import { afterEach, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../access/keys.ts';
import { openStream } from '../../support/event-stream.ts';
import { runs } from '../../support/long.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { openShop, type Shop } from '../purchases/shop.ts';
import {
  cancelOrder,
  codesOf,
  defaults,
  placeOrder,
  registration,
  transfer,
  usd,
  waitForOrder,
} from './order-shop.ts';

let shop: Shop;
afterEach(() => shop?.close());
const two = [registration('limit-1.com'), registration('limit-2.com')];

test('the spend limits count an order as a whole, before its first line', async () => {
  shop = await openShop({ env: { SPEND_LIMITS: JSON.stringify({ perDay: ['22.57 USD'] }) } });

  const { order, errors } = await placeOrder(shop, { lines: two });

  expect(order).toBeNull();
  expect(errors).toMatchObject([
    { limit: 'PER_DAY', price: usd('22.5800'), path: ['input', 'lines'], executed: 'NO' },
  ]);
  expect((await shop.gateway.countCalls()).registerdomain).toBeUndefined();
});

test('a line whose limit another purchase has used up in the meantime is refused', async () => {
  const limits = { perDay: ['22.58 USD'] };
  shop = await openShop({
    env: { SPEND_LIMITS: JSON.stringify(limits), JOB_CONCURRENCY: '1' },
  });
  await shop.arm('hold-before', { action: 'registerdomain' });
  const { order } = await placeOrder(shop, { lines: two });
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });

  const other = await shop.register({ domain: 'another.com' });
  await shop.gateway.admin('POST', '/release', {});
  const ended = await waitForOrder(shop, order.id);

  expect(other.errors).toEqual([]);
  expect(ended.state).toBe('PARTIAL');
  expect(ended.lines.map(codesOf)).toEqual([[], ['SPEND_LIMIT_EXCEEDED']]);
});

test('only its caller and callers with the scope ops can see, follow and cancel an order', async () => {
  const scopes = ['domains:spend', 'account:read'] as const;
  shop = await openShop({
    env: { API_KEYS: apiKeysOf({ shop: scopes, rival: scopes, overseer: [...scopes, 'ops'] }) },
  });
  const query = (name: string, document: string, variables = {}) =>
    shop.gateway.query(document, variables, by(name));
  const place = (name: string) =>
    query(
      name,
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } errors { code message } } }`,
      { input: { idempotencyKey: 'mine', defaults, lines: [registration('only-mine.com')] } },
    );
  const { order } = (await place('shop')).data.placeOrder;
  const read = `{ order(by: { id: "${order.id}" }) { id caller } byKey: order(by: { key: "mine" }) { id } node(id: "${order.id}") { id } orders { totalCount } }`;
  const id = { id: order.id };

  expect((await query('shop', read)).data).toEqual({
    ...{ order: { ...id, caller: null }, byKey: id, node: id, orders: { totalCount: 1 } },
  });
  expect((await query('overseer', read)).data).toMatchObject({ order: { caller: 'shop' } });
  expect((await query('rival', read)).data).toEqual({
    ...{ order: null, byKey: null, node: null, orders: { totalCount: 0 } },
  });
  const stolen = (await place('rival')).data.placeOrder;
  expect(stolen.order).toBeNull();
  expect(stolen.errors).toMatchObject([{ code: 'IDEMPOTENCY_CONFLICT' }]);
  expect(JSON.stringify(stolen)).not.toContain('only-mine');
  const cancel = `mutation { byId: cancelOrder(input: { id: "${order.id}" }) { errors { code } }
    byKey: cancelOrder(input: { key: "mine" }) { errors { code } } }`;
  const notFound = { errors: [{ code: 'NOT_FOUND' }] };
  expect((await query('rival', cancel)).data).toEqual({ byId: notFound, byKey: notFound });
  const stream = await openStream(shop.gateway.url, {
    query: `subscription { orderProgress(id: "${order.id}") { order { state } } }`,
    headers: by('rival'),
  });
  const [event] = await stream.rest();
  expect(event?.data.errors[0].extensions.code).toBe('NOT_FOUND');
  const filtered = await query('rival', '{ orders(filter: { caller: "shop" }) { totalCount } }');
  expect(filtered.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

const transfersOf = (count: number, tld: string) =>
  Array.from({ length: count }, (_, at) => transfer(`outside-${at}.${tld}`));
const quoteDocument = `query ($input: QuoteOrderInput!) {
  quoteOrder(input: $input) { affordable lines { errors { code } } errors { code } } }`;

/** 200 in the long form, in pages of 50. */
const pages = runs(2, 4);
const transfers = 50 * pages;

test(`${transfers} transfers with auth codes are one order, which runs to its end`, async () => {
  const clock = createMovedClock();
  // Nothing but the test reads a transfer in progress.
  shop = await openShop({ clock, reconcileEveryMs: 3_600_000, env: { JOB_CONCURRENCY: '16' } });
  const progressOf = async (id: string) =>
    (
      await shop.gateway.query(
        `{ order(by: { id: "${id}" }) { state progress { inProgress succeeded failed } } }`,
      )
    ).data.order;

  const { order, errors } = await placeOrder(shop, { lines: transfersOf(transfers, 'com') });
  expect(errors).toEqual([]);
  await expect
    .poll(() => progressOf(order.id), { interval: 200, timeout: 60_000 })
    .toEqual({ state: 'RUNNING', progress: { inProgress: transfers, succeeded: 0, failed: 0 } });

  expect(await shop.gateway.countCalls()).toEqual({
    ...{ tldlist: 1, resellerdetails: 1, bulkcheckavailability: transfers / 100, getdomainlist: 1 },
    // Each line reads its domain once before it is sent.
    ...{ getdetails: transfers, transferdomain: transfers },
  });
  await shop.gateway.admin('POST', '/clock', { advanceDays: 6 });
  clock.advance(6 * 24 * 3600);
  const reads = Array.from({ length: pages }, (_, page) => {
    const aliases = Array.from(
      { length: 50 },
      (_, at) => `p${at}: purchase(by: { key: "${order.key}:${50 * page + at}" }) { state }`,
    );
    return `{ ${aliases.join(' ')} }`;
  });
  await expect
    .poll(
      async () => {
        // A transfer in progress is read once a minute at most.
        clock.advance(61);
        for (const read of reads) await shop.gateway.query(read);
        return progressOf(order.id);
      },
      { timeout: 60_000 },
    )
    .toEqual({ state: 'SUCCEEDED', progress: { inProgress: 0, succeeded: transfers, failed: 0 } });
  expect(await shop.ledger()).toHaveLength(transfers);
});

const placedTransfers = runs(150, 500);

test(`${placedTransfers} transfers are quoted and placed with a few upstream calls`, async () => {
  shop = await openShop();
  const lines = transfersOf(placedTransfers, 'co.uk');
  const bulkcheckavailability = Math.ceil(placedTransfers / 100);
  const counts = { tldlist: 1, resellerdetails: 1, bulkcheckavailability, getdomainlist: 1 };

  const { data, errors } = await shop.gateway.query(quoteDocument, { input: { lines } });
  expect(errors).toBeUndefined();
  expect(data.quoteOrder).toMatchObject({ affordable: true, errors: [] });
  expect(data.quoteOrder.lines.flatMap(codesOf)).toEqual([]);
  expect(await shop.gateway.countCalls()).toEqual(counts);
  await shop.arm('hold-before', { action: 'transferdomain', times: placedTransfers });
  const placed = await placeOrder(shop, { lines });
  expect(placed.errors).toEqual([]);
  expect(placed.order.progress.failed).toBe(0);
  const { cancelled } = await cancelOrder(shop, placed.order.id);
  expect(cancelled).toBeGreaterThan(placedTransfers * 0.9);
});
