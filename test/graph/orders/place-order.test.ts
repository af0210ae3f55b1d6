import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import { openShop, type Payload, type Shop } from '../purchases/shop.ts';
import {
  cancelOrder,
  codesOf,
  linesOf,
  placeOrder,
  readOrder,
  registration,
  runOrder,
  transfer,
  usd,
  waitForOrder,
} from './order-shop.ts';

const statesOf = ({ lines }: Payload): readonly string[] =>
  lines.map(({ state }: Payload) => state);

describe('an order of 20 names, one taken, one premium, with a balance for 15,', () => {
  let shop: Shop | undefined;
  afterEach(() => shop?.close());

  test('buys 15, refuses five with their codes, and costs at most 45 upstream calls', async () => {
    const env = { DOMAIN_API_USERNAME: 'demo-three', DOMAIN_API_PASSWORD: 'demo-three-password' };
    shop = await openShop({ env });
    const before = await shop.balances();
    const names = [
      ...Array.from({ length: 18 }, (_, at) => `cart-${at}.com`),
      'weather.com',
      'casino.com',
    ];

    const order = await runOrder(shop, {
      lines: names.map((domain) => registration(domain, { period: 5 })),
    });

    expect(order).toMatchObject({
      state: 'PARTIAL',
      stopReason: null,
      finishedAt: expect.any(String),
      progress: { waiting: 0, sending: 0, pending: 0, succeeded: 15, failed: 5, cancelled: 0 },
    });
    expect(statesOf(order)).toEqual([...Array(15).fill('SUCCEEDED'), ...Array(5).fill('FAILED')]);
    expect(order.lines.slice(15).map(codesOf)).toEqual([
      ['INSUFFICIENT_FUNDS'],
      ['INSUFFICIENT_FUNDS'],
      ['INSUFFICIENT_FUNDS'],
      ['NOT_AVAILABLE'],
      ['PREMIUM_NOT_ACCEPTED', 'PRICE_UNAVAILABLE'],
    ]);
    const calls = await shop.gateway.countCalls();
    expect(calls.registerdomain).toBe(15);
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(45);
    const ledger = await shop.ledger();
    expect(ledger.map(({ domain }) => domain).toSorted()).toEqual(names.slice(0, 15).toSorted());
    const after = await shop.balances();
    expect(Number(before.USD) - Number(after.USD)).toBeCloseTo(15 * 57.25, 4);
    expect(order.spent).toEqual(order.quoted);
  });
});

describe('orders', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop?.close());

  test('have one purchase per line, with the key of the order and the position', async () => {
    const placed = await placeOrder(shop, {
      idempotencyKey: 'with-purchases',
      lines: [...linesOf('keyed', 1), transfer('outside-keyed.com')],
    });
    const order = await waitForOrder(
      shop,
      placed.order.id,
      ({ progress }) => progress.succeeded === 1 && progress.inProgress === 1,
    );
    expect(order).toMatchObject({ state: 'RUNNING', finishedAt: null });

    expect(order.lines.map(({ purchase }: Payload) => purchase)).toMatchObject([
      { key: 'with-purchases:0', domainName: 'keyed-0.com', state: 'SUCCEEDED' },
      { key: 'with-purchases:1', domainName: 'outside-keyed.com', state: 'IN_PROGRESS' },
    ]);
  }, 20_000);

  test('with the same key are the same order, which costs no upstream call', async () => {
    const input = { idempotencyKey: 'same', lines: linesOf('same', 2), maxTotal: [usd('60')] };
    const placed = await placeOrder(shop, input);
    await waitForOrder(shop, placed.order.id);

    const spelled = [registration('SAME-0.com.'), registration('same-1.com')];
    const again = await placeOrder(shop, { ...input, lines: spelled, maxTotal: [usd('60.00')] });

    expect(again).toMatchObject({ replayed: true, keyUsed: true, quote: null, errors: [] });
    expect(again.order).toMatchObject({ id: placed.order.id, state: 'SUCCEEDED' });
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('that are placed twice at the same time are one order', async () => {
    const input = { idempotencyKey: 'at-once', lines: linesOf('at-once', 3) };

    const both = await Promise.all([placeOrder(shop, input), placeOrder(shop, input)]);

    expect(new Set(both.map(({ order }) => order.id)).size).toBe(1);
    expect(both.filter(({ replayed }) => replayed)).toHaveLength(1);
    await waitForOrder(shop, both[0].order.id);
    const bought = (await shop.ledger()).filter(({ domain }) => domain.startsWith('at-once'));
    expect(bought).toHaveLength(3);
  });

  test.each([
    [
      'another line',
      { lines: [registration('differs-0.com'), registration('other.com')] },
      ['lines', '1'],
    ],
    [
      'another contact',
      {
        lines: [
          registration('differs-0.com', { contact: { fields: { ...ada, firstName: 'Eve' } } }),
          registration('differs-1.com'),
        ],
      },
      ['lines', '0'],
    ],
    ['one line more', { lines: linesOf('differs', 3) }, ['lines', '2']],
    ['one line less', { lines: linesOf('differs', 1) }, ['lines']],
    ['another total', { maxTotal: [usd('61')] }, ['maxTotal']],
    ['a total of the costs', { maxTotalCost: [usd('31')] }, ['maxTotalCost']],
    ['another `onFailure`', { onFailure: 'STOP' }, ['onFailure']],
  ])(
    'with a known key and %s are refused with the first difference',
    async (_what, changes, path) => {
      const input = {
        idempotencyKey: 'differs',
        lines: linesOf('differs', 2),
        maxTotal: [usd('60')],
      };
      const { order } = await placeOrder(shop, input);
      await waitForOrder(shop, order.id);

      const other = await placeOrder(shop, { ...input, ...changes });

      expect(other).toMatchObject({ order: null, keyUsed: true });
      expect(codesOf(other)).toEqual(['IDEMPOTENCY_CONFLICT']);
      expect(other.errors[0].path).toEqual(['input', ...path]);
      expect(await shop.gateway.countCalls()).toEqual({});
    },
  );

  test.each([
    ['without a key', { idempotencyKey: ' ' }, 'INVALID_INPUT', ['idempotencyKey']],
    [
      'with a key that is too long',
      { idempotencyKey: 'k'.repeat(195) },
      'INVALID_INPUT',
      ['idempotencyKey'],
    ],
    [
      'without a registrant',
      { defaults: { nameServers: ['ns1.example.com'] } },
      'INVALID_INPUT',
      ['lines', '0', 'registration', 'registrant'],
    ],
    [
      'without name servers',
      { defaults: { registrant: { fields: ada } } },
      'INVALID_INPUT',
      ['lines', '0', 'registration', 'nameServers'],
    ],
    ['above the total', { maxTotal: [usd('22.5799')] }, 'MAX_PRICE_EXCEEDED', ['maxTotal']],
    [
      'whose only line fails a check',
      { lines: [registration('weather.com')] },
      'NOT_AVAILABLE',
      ['lines', '0', 'registration', 'domain'],
    ],
  ])('%s are refused, and nothing is stored or sent', async (_which, changes, code, path) => {
    const input = { idempotencyKey: 'refused', lines: linesOf('refused', 1), ...changes };

    const { order, keyUsed, errors } = await placeOrder(shop, input);

    expect([order, keyUsed]).toEqual([null, false]);
    expect(errors[0]).toMatchObject({ code, path: ['input', ...path], executed: 'NO' });
    expect((await shop.gateway.countCalls()).registerdomain).toBeUndefined();
    const { data } = await shop.gateway.query('{ order(by: { key: "refused" }) { id } }');
    expect(data.order).toBeNull();
  });

  test('with a name in two lines buy the first, and refuse the second', async () => {
    const order = await runOrder(shop, {
      lines: [registration('twice.com'), registration('TWICE.com')],
    });

    expect(statesOf(order)).toEqual(['SUCCEEDED', 'FAILED']);
    expect(order.lines[1].errors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'lines', '1', 'registration', 'domain'] },
    ]);
  });

  test('with onFailure STOP are refused when a line fails a check, which is reported once', async () => {
    const { order, errors, quote } = await placeOrder(shop, {
      onFailure: 'STOP',
      lines: [...linesOf('stop', 2), registration('weather.com')],
    });

    expect(order).toBeNull();
    expect(errors).toMatchObject([
      { code: 'NOT_AVAILABLE', path: ['input', 'lines', '2', 'registration', 'domain'] },
    ]);
    expect(quote).toMatchObject({ lines: Array(3).fill({ errors: [] }), errors: [] });
  });

  test('are refused with one error when one read for all of them fails', async () => {
    await shop.arm('gateway', { action: 'tldlist', times: 3 });

    const { order, errors, quote } = await placeOrder(shop, { lines: linesOf('unread', 3) });

    expect(order).toBeNull();
    expect(errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', path: null, executed: 'NO' }]);
    expect(errors).toHaveLength(1);
    expect(quote.lines).toEqual(Array(3).fill({ errors: [] }));
  });

  test('with a lost reply find out what happened', async () => {
    const order = await runOrder(shop, { lines: [registration('lost-answer-order.com')] });

    expect(order).toMatchObject({ state: 'SUCCEEDED', progress: { succeeded: 1 } });
    const { registerdomain } = await shop.gateway.countCalls();
    expect(registerdomain).toBe(1);
  });
});

describe('an order that is cancelled', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ env: { JOB_CONCURRENCY: '1' } });
  });
  afterAll(() => shop?.close());

  test('sends no further line, and each line that was sent is reported as sent', async () => {
    await shop.arm('hold-before', { action: 'registerdomain', after: 2 });
    const { order } = await placeOrder(shop, { lines: linesOf('cancelled', 6) });
    await waitForOrder(shop, order.id, ({ progress }) => progress.succeeded === 2);

    const { cancelled, order: now, errors } = await cancelOrder(shop, order.id);
    // A line that was sent before may arrive later, and must not be held then.
    await shop.gateway.admin('DELETE', '/faults');
    await shop.gateway.admin('POST', '/release', {});
    const ended = await waitForOrder(shop, order.id);

    expect(errors).toEqual([]);
    expect(cancelled).toBe(now.progress.cancelled);
    expect(ended.state).toBe('STOPPED');
    expect(ended.progress.cancelled).toBe(cancelled);
    expect(ended.stopReason).toBe(
      `${cancelled} lines were not sent, because the order was cancelled. "retryOrder" places them in a new order.`,
    );
    const bought = (await shop.ledger()).filter(({ domain }) => domain.startsWith('cancelled'));
    expect(bought).toHaveLength(6 - cancelled);
    expect(statesOf(ended)).toEqual([
      ...Array(6 - cancelled).fill('SUCCEEDED'),
      ...Array(cancelled).fill('CANCELLED'),
    ]);
  });

  test('cannot be cancelled when it has ended, or does not exist', async () => {
    const { id } = await runOrder(shop, { lines: linesOf('ended', 1) });

    expect(await cancelOrder(shop, id)).toMatchObject({
      errors: [{ code: 'INVALID_INPUT', path: ['input', 'id'] }],
    });
    expect(await cancelOrder(shop, 'none')).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'id'] }],
    });
    expect(await cancelOrder(shop, { key: 'none' })).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'key'] }],
    });
    expect(await readOrder(shop, id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  test('with onFailure STOP is stopped by the first line that fails', async () => {
    await shop.arm('code', { action: 'registerdomain', after: 1, code: 'API_2304_ERROR' });

    const order = await runOrder(shop, { onFailure: 'STOP', lines: linesOf('stopped', 4) });

    expect(order.state).toBe('STOPPED');
    expect(statesOf(order)).toEqual(['SUCCEEDED', 'FAILED', 'CANCELLED', 'CANCELLED']);
    expect(order.stopReason).toBe(
      '2 lines were not sent, because stopped-1.com (line 1) failed and the order has onFailure STOP. "retryOrder" places them in a new order.',
    );
  });
});
