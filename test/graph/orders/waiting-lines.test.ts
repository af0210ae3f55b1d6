import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { minuteMs, secondMs } from '../../support/simulated-clock.ts';
import { allowPurchases, stopPurchases } from '../../support/stop-switch.ts';
import { type ProxyReply, startProxiedSandbox } from '../purchases/proxy.ts';
import { openShop, order, type Payload, type Shop } from '../purchases/shop.ts';
import {
  cancelOrder,
  codesOf,
  readOrder,
  registration,
  sendOrder,
  transfer,
  usd,
} from './order-shop.ts';

const time = createGatewayClock();
let folder: string;
let env: Record<string, string>;
let sandbox: Awaited<ReturnType<typeof startProxiedSandbox>>;
let shop: Shop;

beforeAll(async () => {
  folder = await newFolder('waiting-lines');
  sandbox = await startProxiedSandbox();
  env = { DATA_DIR: folder, DOMAIN_API_URL: sandbox.url };
  shop = await openShop({
    time,
    reconcileEveryMs: 20 * secondMs,
    env: { ...env, JOB_CONCURRENCY: '1' },
  });
});
afterEach(() => sandbox.reset());
afterAll(async () => {
  await shop?.close();
  await sandbox?.close();
  await rm(folder, { recursive: true });
});

/** Holds the next `registerdomain` until the returned function is called. */
function holdPurchase(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  sandbox.intercept('registerdomain', async (_fields, forward) => {
    await promise;
    return forward();
  });
  return resolve;
}

/** Doubles the cost of a registration under .com. */
async function doubled(forward: () => Promise<ProxyReply>): Promise<ProxyReply> {
  const { status, body } = await forward();
  const text = JSON.stringify(body).replaceAll('11.2900', '22.5800');
  return { status, body: JSON.parse(text) };
}

const place = async (input: object): Promise<Payload> => {
  const placed = await sendOrder(shop, input);
  expect(placed.errors).toEqual([]);
  return placed.order;
};

/** Lets time pass until the order has ended, or `isReached`. */
async function waitForOrder(
  id: string,
  isReached: (order: Payload) => boolean = ({ state }) => state !== 'RUNNING',
): Promise<Payload> {
  for (;;) {
    const order = await readOrder(shop, id);
    if (isReached(order)) return order;
    await time.pass(20 * secondMs);
  }
}

/** The reply of a front that cannot reach its backend. */
const unreachable: ProxyReply = {
  status: 400,
  body: { result: 'ERROR', error: { Code: 'INVALID_RESPONSE', Message: 'Invalid Response' } },
};

describe('lines that wait because the operator stopped purchases', () => {
  test('are sent when purchases are allowed again, unless their price has risen or they are premium', async () => {
    const release = holdPurchase();
    const { id } = await place({
      lines: ['first.com', 'dear.com', 'same-price.net', 'premium.org'].map((domain) =>
        registration(`stop-${domain}`, { acceptPremium: true }),
      ),
    });
    await expect.poll(() => sandbox.count('registerdomain')).toBe(1);
    await stopPurchases(env, 'Ask Ada.');
    release();
    const stopped = await waitForOrder(
      id,
      ({ progress, stopReason }) => progress.succeeded === 1 && stopReason !== null,
    );

    expect(stopped).toMatchObject({
      state: 'RUNNING',
      stopReason:
        '3 lines were not sent, because the operator stopped all purchases: "Ask Ada.". The gateway sends them when the operator allows purchases again; "cancelOrder" removes them.',
    });
    expect(sandbox.count('registerdomain')).toBe(1);

    sandbox.intercept('tldlist', (_fields, forward) => doubled(forward));
    sandbox.intercept('bulkcheckavailability', async (_fields, forward) => {
      const { status, body } = await forward();
      const [offer] = (body as Payload).availability['stop-premium.org'];
      offer.IsFee = true;
      return { status, body };
    });
    await time.pass(30 * secondMs);
    time.suspend(5.5 * minuteMs);
    await allowPurchases(env);
    const ended = await waitForOrder(id);

    expect(ended.lines.map(({ state }: Payload) => state)).toEqual([
      'SUCCEEDED',
      'FAILED',
      'SUCCEEDED',
      'FAILED',
    ]);
    expect(codesOf(ended.lines[3])).toEqual(['PREMIUM_NOT_ACCEPTED']);
    expect(ended.lines[1].errors).toMatchObject([
      {
        code: 'MAX_PRICE_EXCEEDED',
        executed: 'NO',
        highest: { amount: '45.1600', currency: 'USD' },
        maxPrice: { amount: '22.5800', currency: 'USD' },
      },
    ]);
    expect(sandbox.count('registerdomain')).toBe(2);
  });

  test('are checked again together: one bulk check and one list for all of them', async () => {
    const release = holdPurchase();
    const { id } = await place({
      lines: [
        ...['together.com', 'together.net'].map((name) => registration(name)),
        ...Array.from({ length: 5 }, (_, at) => transfer(`outside-together-${at}.com`)),
      ],
    });
    await expect.poll(() => sandbox.count('registerdomain')).toBe(1);
    await stopPurchases(env, 'Ask Ada.');
    release();
    await waitForOrder(id, ({ stopReason }) => stopReason !== null);
    await time.pass(30 * secondMs);
    time.suspend(5.5 * minuteMs);
    sandbox.reset();
    await allowPurchases(env);
    await waitForOrder(id, ({ progress }) => progress.inProgress === 5);

    const counts = ['bulkcheckavailability', 'singlecheckavailability', 'getdomainlist'];
    expect(counts.map(sandbox.count)).toEqual([1, 0, 1]);
    // Each line reads its domain once before it is sent.
    expect(sandbox.count('getdetails')).toBe(6);
    expect(sandbox.count('transferdomain')).toBe(5);
  });

  test('can be cancelled', async () => {
    const release = holdPurchase();
    const { id } = await place({ lines: [registration('held-1.com'), registration('held-2.com')] });
    await expect.poll(() => sandbox.count('registerdomain')).toBe(1);
    await stopPurchases(env, 'Ask Ada.');
    release();
    await waitForOrder(id, ({ stopReason }) => stopReason !== null);

    const { cancelled } = await cancelOrder(shop, id);
    await allowPurchases(env);

    expect(cancelled).toBe(1);
    expect(await readOrder(shop, id)).toMatchObject({ state: 'STOPPED' });
    expect(sandbox.count('registerdomain')).toBe(1);
  });

  test('refuse a new order', async () => {
    await stopPurchases(env, 'Ask Ada.');
    const refused = await sendOrder(shop, { lines: [registration('not-now.com')] });
    await allowPurchases(env);

    expect(refused.order).toBeNull();
    expect(refused.errors).toMatchObject([{ code: 'PURCHASES_STOPPED', path: ['input', 'lines'] }]);
  });
});

describe('a line', () => {
  const refusal = (status: number): ProxyReply => ({ status, body: {} });

  test.each([
    ['away', refusal(503)],
    ['without-backend', unreachable],
  ])('waits while the upstream is %s, and is sent once', async (label, reply) => {
    // The attempts of one read fail.
    sandbox.intercept('getdetails', (_fields, forward) =>
      sandbox.count('getdetails') > 3 ? forward() : reply,
    );
    const { id } = await place({ lines: [registration(`while-${label}.com`)] });

    expect((await waitForOrder(id)).state).toBe('SUCCEEDED');
    expect(sandbox.count('getdetails')).toBeGreaterThan(3);
    expect(sandbox.count('registerdomain')).toBe(1);
  });

  test('that was claimed more than five minutes ago is checked again, and not sent for a risen price', async () => {
    sandbox.intercept('getdetails', () => refusal(503));
    const { id, key } = await place({
      lines: [registration('dear-after-outage.com', { maxPrice: usd('24') })],
    });
    await time.pass(30 * secondMs);
    time.suspend(5.5 * minuteMs);
    sandbox.intercept('tldlist', (_fields, forward) => doubled(forward));
    sandbox.intercept('getdetails', (_fields, forward) => forward());

    const ended = await waitForOrder(id);

    expect(ended.lines.map(codesOf)).toEqual([['MAX_PRICE_EXCEEDED']]);
    expect(ended.lines[0].errors).toMatchObject([{ executed: 'NO', highest: usd('45.1600') }]);
    expect(ended.lines[0].purchase).toMatchObject({ key: `${key}:0`, state: 'FAILED' });
    expect(sandbox.count('registerdomain')).toBe(0);
  });

  test('that was claimed more than five minutes ago is sent once for the same price', async () => {
    sandbox.intercept('getdetails', () => refusal(503));
    const { id } = await place({ lines: [registration('same-after-outage.com')] });
    await time.pass(30 * secondMs);
    time.suspend(5.5 * minuteMs);
    sandbox.intercept('getdetails', (_fields, forward) => forward());

    expect((await waitForOrder(id)).state).toBe('SUCCEEDED');
    expect(sandbox.count('registerdomain')).toBe(1);
  });

  test('is given up when the upstream cannot be read for a quarter of an hour', async () => {
    sandbox.intercept('getdetails', () => refusal(503));
    const { id } = await place({ lines: [registration('away-for-long.com')] });

    const ended = await waitForOrder(id);

    expect(ended.state).toBe('FAILED');
    expect(sandbox.count('getdetails')).toBeGreaterThan(0);
    expect(ended.lines[0].errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' }]);
    expect(sandbox.count('registerdomain')).toBe(0);
  });

  test.each([
    ['without a reply', 'lost', refusal(503)],
    ['after a failure of the registrar', 'failed', unreachable],
  ])('whose purchase is proved not to be made %s has another one', async (_what, key, first) => {
    sandbox.intercept('registerdomain', (_fields, forward) =>
      sandbox.count('registerdomain') === 1 ? first : forward(),
    );
    const { id } = await place({
      idempotencyKey: key,
      lines: [registration(`never-${key}.com`)],
    });

    const ended = await waitForOrder(id);

    expect(ended.state).toBe('SUCCEEDED');
    expect(ended.lines[0].purchase).toMatchObject({ key: `${key}:0:2`, state: 'SUCCEEDED' });
    expect(sandbox.count('registerdomain')).toBe(2);
    const { data } = await shop.gateway.query(`{ purchase(by: { key: "${key}:0" }) { state } }`);
    expect(data.purchase).toEqual({ state: 'FAILED' });
  });

  const failure = (Code: string): ProxyReply => ({
    status: 400,
    body: { result: 'ERROR', error: { Code, Message: 'Failed', Details: 'Some detail.' } },
  });
  const words = { upstreamCode: 'API_7777_ERROR', upstreamMessage: 'Some detail.' };

  test.each<[string, object, string, ProxyReply, object]>([
    [
      'that the registrar refuses',
      registration('refused-order.com'),
      'registerdomain',
      failure('API_2304_ERROR'),
      { code: 'RESERVED' },
    ],
    [
      'that the registrar refuses with an unlisted code',
      registration('unlisted-line.com'),
      'registerdomain',
      failure('API_7777_ERROR'),
      { code: 'UPSTREAM_REJECTED', ...words },
    ],
    [
      'that is a transfer without a reply',
      transfer('outside-lost.com'),
      'transferdomain',
      refusal(503),
      { code: 'UPSTREAM_TIMEOUT' },
    ],
  ])('%s is FAILED, and has no other purchase', async (_what, line, action, reply, error) => {
    sandbox.intercept(action, () => reply);
    const { id, key } = await place({ lines: [line] });

    const ended = await waitForOrder(id);

    expect(ended.state).toBe('FAILED');
    expect(ended.lines).toMatchObject([
      { state: 'FAILED', purchase: { key: `${key}:0`, state: 'FAILED', errors: [error] } },
    ]);
    expect(ended.lines[0].errors).toEqual(ended.lines[0].purchase.errors);
    expect(sandbox.count(action)).toBe(1);
  });

  test('whose key a single purchase has is refused, and nothing is sent for it', async () => {
    const input = order({ domain: 'other-purchase.com', period: 1, idempotencyKey: 'used:0' });
    await shop.gateway.query(
      'mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { errors { code } } }',
      { input },
    );
    sandbox.reset();

    const { id } = await place({
      idempotencyKey: 'used',
      lines: [registration('with-used-key.com')],
    });
    const ended = await waitForOrder(id);

    expect(ended.lines.map(codesOf)).toEqual([['IDEMPOTENCY_CONFLICT']]);
    expect(sandbox.count('registerdomain')).toBe(0);
  });
});
