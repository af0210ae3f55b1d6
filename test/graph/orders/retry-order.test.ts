import { afterEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../access/keys.ts';
import { ada } from '../../support/ada.ts';
import { errorFields, openShop, type Payload, type Shop, transferCode } from '../purchases/shop.ts';
import {
  cancelOrder,
  codesOf,
  defaults,
  linesOf,
  placeOrder,
  registration,
  runOrder,
  transfer,
  usd,
  waitForOrder,
} from './order-shop.ts';

let shop: Shop;
afterEach(() => shop?.close());

const document = `mutation ($input: RetryOrderInput!) { retryOrder(input: $input) {
  order { id key state lines { position domainName state purchase { key } } }
  replayed errors { ${errorFields} } } }`;

/** Retries the order of this key, with the header of a caller if one is given. */
async function retry(key: string, input: object, headers = {}): Promise<Payload> {
  const { data, errors } = await shop.gateway.query(
    document,
    { input: { by: { key }, idempotencyKey: 'again', ...input } },
    headers,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.retryOrder;
}

const boughtNames = async (label: string) =>
  (await shop.ledger()).map(({ domain }) => domain).filter((name) => name.startsWith(label));

describe('an order with a failed registration, a failed transfer and a bought line', () => {
  const grace = { ...ada, firstName: 'Grace' };

  const start = async () => {
    shop = await openShop({ env: { JOB_CONCURRENCY: '1' } });
    await shop.arm('code', { action: 'registerdomain', after: 1, code: 'API_2304_ERROR' });
    const lines = [
      registration('again-bought.com'),
      registration('again-refused.com', {
        registrant: { fields: grace },
        period: 2,
        privacyProtected: true,
      }),
      transfer('outside-again.com', { authCode: 'wrong' }),
    ];
    const { key, state } = await runOrder(shop, { lines });
    expect(state).toBe('PARTIAL');
    await shop.gateway.resetCalls();
    return key as string;
  };
  const own = [
    { position: 1, registrant: { fields: grace } },
    { position: 2, authCode: transferCode },
  ];

  test('is not retried without the values that were deleted', async () => {
    const key = await start();
    const missing = await retry(key, { registrant: { fields: ada } });
    const repeated = await retry(key, { lines: [...own, own[0]] });

    expect(missing.order).toBeNull();
    expect(missing.errors).toMatchObject([
      {
        ...{ code: 'INVALID_INPUT', path: ['input', 'lines'], executed: 'NO' },
        message:
          'The own registrant of line 1, again-refused.com, is missing: the gateway deleted it when the line ended. Set it in "lines".',
      },
      {
        message:
          'The auth code of line 2, outside-again.com, is missing: the gateway deleted it when the line ended. Set it in "lines".',
      },
    ]);
    expect(codesOf(repeated)).toEqual(['INVALID_INPUT']);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('places these two lines with their values, and none of them again', async () => {
    const key = await start();
    const { order, errors } = await retry(key, { lines: own });
    const settled = ({ progress }: Payload) => progress.succeeded + progress.inProgress === 2;
    const placed = await waitForOrder(shop, order.id, settled);
    const calls = await shop.gateway.countCalls();
    const replayed = await retry(key, { lines: own });
    const otherInput = await retry(key, { lines: own, maxTotal: [usd('500')] });
    const otherCost = await retry(key, { lines: own, maxTotalCost: [usd('500')] });
    const otherKey = await retry(key, { idempotencyKey: 'third', lines: own });
    const running = await retry('again', { idempotencyKey: 'fourth', lines: own });
    const ofSource = await retry(key, { idempotencyKey: key, lines: own });

    expect(errors).toEqual([]);
    expect(placed.lines).toMatchObject([
      { domainName: 'again-refused.com', period: 2, purchase: { key: 'again:0' } },
      { domainName: 'outside-again.com', state: 'IN_PROGRESS', purchase: { key: 'again:1' } },
    ]);
    expect(calls).toMatchObject({ registerdomain: 1, transferdomain: 1 });
    expect(await shop.rows('again-refused.com')).toMatchObject([{ privacy: true }]);
    expect(replayed).toMatchObject({ replayed: true, order: { id: order.id }, errors: [] });
    expect([otherInput, otherCost].flatMap(codesOf)).toEqual([
      'IDEMPOTENCY_CONFLICT',
      'IDEMPOTENCY_CONFLICT',
    ]);
    expect(codesOf(ofSource)).toEqual(['IDEMPOTENCY_CONFLICT']);
    expect(otherKey.errors).toMatchObject([
      {
        message:
          'No line of this order can be placed again: each was bought, or its purchase is open.',
      },
    ]);
    expect(running.errors).toMatchObject([
      {
        ...{ code: 'INVALID_INPUT', path: ['input', 'by'] },
        message:
          'This order is RUNNING. Retry it after its end; "cancelOrder" ends the lines that wait.',
      },
    ]);
    expect(await shop.gateway.countCalls()).toEqual(calls);
  });
});

test('the lines of a cancelled order are bought once, although four requests retry it at the same time', async () => {
  shop = await openShop({ env: { JOB_CONCURRENCY: '1' } });
  await shop.arm('hold-before', { action: 'registerdomain' });
  const { order } = await placeOrder(shop, { lines: linesOf('retried', 4) });
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });
  const { cancelled } = await cancelOrder(shop, { key: order.key });
  await shop.gateway.admin('POST', '/release', {});
  await waitForOrder(shop, order.id);
  expect(cancelled).toBe(3);

  const noContact = await retry(order.key, {});
  const tooMuch = await retry(order.key, { registrant: { fields: ada }, maxTotal: [usd('67.73')] });
  const tooDear = await retry(order.key, {
    registrant: { fields: ada },
    maxTotalCost: [usd('33.86')],
  });
  const requests = ['one', 'one', 'two', 'two'].map((idempotencyKey) =>
    retry(order.key, { idempotencyKey, registrant: { fields: ada }, maxTotal: [usd('67.74')] }),
  );
  const [one, alsoOne, two, alsoTwo] = await Promise.all(requests);
  const ended = await waitForOrder(shop, one.order.id);
  await waitForOrder(shop, two.order.id);

  expect(noContact.errors).toMatchObject([
    {
      path: ['input', 'registrant'],
      message: '"registrant" is missing: the gateway deleted it when the order ended.',
    },
  ]);
  expect(tooMuch.errors).toMatchObject([
    { code: 'MAX_PRICE_EXCEEDED', path: ['input', 'maxTotal'] },
  ]);
  expect(tooDear.errors).toMatchObject([
    { code: 'MAX_PRICE_EXCEEDED', path: ['input', 'maxTotalCost'] },
  ]);
  expect([alsoOne.order.id, alsoTwo.order.id]).toEqual([one.order.id, two.order.id]);
  expect(ended.lines).toHaveLength(3);
  expect((await boughtNames('retried')).toSorted()).toEqual(
    [0, 1, 2, 3].map((at) => `retried-${at}.com`),
  );
});

test('a retry is refused with values that no line of the order can have', async () => {
  shop = await openShop();
  const own = { registrant: { fields: ada } };
  await shop.arm('code', { action: 'registerdomain', code: 'API_2304_ERROR' });
  await shop.arm('code', { action: 'transferdomain', code: 'API_2304_ERROR' });
  const { key } = await runOrder(shop, {
    lines: [registration('own-contact.com', own), transfer('outside-own.com')],
    defaults: { nameServers: defaults.nameServers },
  });
  const lines = [
    { position: 0, ...own },
    { position: 1, authCode: transferCode },
  ];

  const refused = await retry(key, {
    registrant: own.registrant,
    lines: [
      { position: 0, ...own, authCode: transferCode },
      { position: 1, ...own, authCode: transferCode },
      { position: 2 },
    ],
  });
  const placed = await retry(key, { lines });

  expect(refused.order).toBeNull();
  expect(refused.errors.map(({ path, message }: Payload) => [path[1], message])).toEqual([
    ['lines', '"lines" has position 0, which is a registration and has no auth code.'],
    ['lines', '"lines" has position 1, which is a transfer and has no contacts.'],
    ['lines', '"lines" has position 2, which is no line of the order.'],
    ['registrant', 'No line of the order takes "registrant": leave it out, or set it in "lines".'],
  ]);
  expect(placed.errors).toEqual([]);
});

test('only its caller can retry an order, and a line that the account has bought since is left out', async () => {
  const scopes = ['domains:spend', 'domains:check', 'account:read'] as const;
  shop = await openShop({ env: { API_KEYS: apiKeysOf({ shop: scopes, rival: scopes }) } });
  await shop.arm('code', { action: 'registerdomain', times: 2, code: 'API_2304_ERROR' });
  const place = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }`;
  const input = {
    ...{ idempotencyKey: 'first', lines: linesOf('mine', 2) },
    defaults: {
      registrant: { fields: ada },
      nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
    },
  };
  await shop.gateway.query(place, { input }, by('shop'));
  await expect
    .poll(async () => {
      const read = '{ order(by: { key: "first" }) { state } }';
      return (await shop.gateway.query(read, {}, by('shop'))).data.order.state;
    })
    .toBe('FAILED');
  const bought = await shop.register({ domain: 'mine-0.com' }, by('rival'));
  expect(bought.errors).toEqual([]);

  expect((await retry('first', { registrant: { fields: ada } }, by('rival'))).errors).toMatchObject(
    [{ code: 'NOT_FOUND', path: ['input', 'by'] }],
  );
  const limited = { registrant: { fields: ada }, maxTotalCost: [usd('500')] };
  expect((await retry('first', limited, by('shop'))).errors).toMatchObject([
    { code: 'FORBIDDEN', path: ['input', 'maxTotalCost'] },
  ]);
  const { order } = await retry('first', { registrant: { fields: ada } }, by('shop'));
  expect(order.lines).toMatchObject([{ domainName: 'mine-1.com' }]);
});
