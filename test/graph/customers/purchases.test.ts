import { afterAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/kernel/money.ts';
import { apiKeysOf, by } from '../../access/keys.ts';
import { ada } from '../../support/ada.ts';
import { csvObjects } from '../../support/csv.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { order, transferCode } from '../purchases/shop.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
type Payload = any;

const clock = createMovedClock();
const gateway = await startTestGateway({
  sandboxDomains: 10,
  clock,
  reconcileEveryMs: 20,
  accountToken: null,
  env: {
    API_KEYS: apiKeysOf({
      staff: ['domains:read', 'domains:spend', 'customers:write', 'prices:cost', 'ops'],
      backend: ['domains:read', 'domains:spend', 'customers:write'],
      buyer: ['domains:read', 'domains:spend'],
    }),
  },
});
afterAll(() => gateway.close());

async function ask(document: string, variables: object = {}, key = 'backend'): Promise<Payload> {
  const { data, errors } = await gateway.query(document, variables, by(key));
  expect(errors).toBeUndefined();
  return data;
}

const payload = `replayed purchase { id state customer }
  errors { code message path } domain { customer labels { name } }`;
const register = async (input: object, key?: string) =>
  (
    await ask(
      `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { ${payload} } }`,
      { input: order(input) },
      key,
    )
  ).registerDomain;
const transfer = async (input: object) =>
  (
    await ask(
      `mutation ($input: TransferDomainInput!) { transferDomain(input: $input) { ${payload} } }`,
      { input: { authCode: transferCode, ...input } },
    )
  ).transferDomain;
const orderFields = `id state lines { domainName state customer errors { code path } purchase { customer } }`;
const place = async (input: object, key?: string) =>
  (
    await ask(
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
        order { ${orderFields} } errors { code message path } } }`,
      {
        input: {
          ...input,
          defaults: {
            registrant: { fields: ada },
            nameServers: order({}).nameServers,
            ...Object(input).defaults,
          },
        },
      },
      key,
    )
  ).placeOrder;
const customerOf = async (name: string) =>
  (await ask(`{ domain(name: "${name}") { customer } }`)).domain?.customer;

test('a registered domain has the customer of its purchase', async () => {
  const bought = await register({ domain: 'of-acme.com', customer: 'acme', idempotencyKey: 'a' });

  expect(bought).toEqual({
    replayed: false,
    purchase: { id: expect.any(String), state: 'SUCCEEDED', customer: 'acme' },
    errors: [],
    domain: { customer: 'acme', labels: [] },
  });
  expect(await register({ domain: 'of-shop.com' })).toMatchObject({
    purchase: { customer: null },
    domain: { customer: null },
  });
});

test('a purchase has the defaults of its customer', async () => {
  const nameServers = ['a.acme-hosts.net', 'b.acme-hosts.net'];
  const { setDefaults } = await ask(
    'mutation ($input: SetDefaultsInput!) { setDefaults(input: $input) { errors { message } } }',
    { input: { customer: 'with-defaults', nameServers } },
  );
  expect(setDefaults.errors).toEqual([]);
  const sent = { nameServers: null, customer: 'with-defaults' };
  await register({ domain: 'by-defaults.com', ...sent });
  const lines = [
    { registration: { domain: 'by-defaults-one.com', ...sent } },
    { registration: { domain: 'by-defaults-two.com', ...sent, customer: 'other' } },
  ];
  const placed = await place({
    ...{ idempotencyKey: 'by-defaults', lines, defaults: { nameServers: null } },
  });

  const { domain } = await ask('{ domain(name: "by-defaults.com") { nameServers } }');
  expect(domain).toEqual({ nameServers });
  expect(placed.order.lines).toMatchObject([
    { errors: [] },
    { state: 'FAILED', errors: [{ path: ['input', 'lines', '1', 'registration', 'nameServers'] }] },
  ]);
});

test('an idempotency key is for one customer', async () => {
  const same = await register({ domain: 'of-acme.com', customer: 'acme', idempotencyKey: 'a' });
  const other = await register({ domain: 'of-acme.com', customer: 'other', idempotencyKey: 'a' });
  const none = await register({ domain: 'of-acme.com', idempotencyKey: 'a' });

  expect(same).toMatchObject({ replayed: true, purchase: { customer: 'acme' } });
  for (const { errors } of [other, none]) {
    expect(errors).toMatchObject([{ code: 'IDEMPOTENCY_CONFLICT' }]);
  }
});

test('a transfer gives its domain to the customer when it is complete, unless staff decided later', async () => {
  const [first, second] = ['outside-arrives.com', 'outside-decided.com'];
  for (const domain of [first, second]) {
    const { purchase } = await transfer({ domain, customer: 'acme' });
    expect(purchase).toMatchObject({ state: 'IN_PROGRESS', customer: 'acme' });
  }
  expect(await customerOf(first)).toBeNull();
  clock.advance(60);
  await ask(
    `mutation { setDomainCustomer(input: { names: ["${second}"], customer: "decided" }) { errors { message } } }`,
  );
  await gateway.restart();
  clock.advance(6 * 86_400);

  await expect.poll(() => customerOf(first)).toBe('acme');
  const states = async () =>
    (await ask('{ purchases(filter: { kinds: [TRANSFER] }) { nodes { state } } }')).purchases.nodes;
  await expect.poll(states).toEqual([{ state: 'SUCCEEDED' }, { state: 'SUCCEEDED' }]);
  expect(await customerOf(second)).toBe('decided');
});

describe('nothing is sent', () => {
  test.each([
    ['buyer', 'acme', 'FORBIDDEN', '"customer" needs the scope "customers:write"'],
    ['backend', 'a\nb', 'INVALID_INPUT', 'A customer has 1 to 64 printable characters'],
  ])('for the caller %s and the customer %j', async (key, customer, code, sentence) => {
    await gateway.resetCalls();
    const single = await register({ domain: 'never-sent.com', customer }, key);
    const lines = [
      { registration: { domain: 'never-sent.com', customer } },
      { registration: { domain: 'never-sent-too.com' } },
    ];
    const ofLine = await place({ idempotencyKey: 'never', lines, onFailure: 'STOP' }, key);
    const ofDefaults = await place(
      { idempotencyKey: 'never', lines: [lines[1]], defaults: { customer } },
      key,
    );

    const error = (...path: string[]) => [
      { code, message: expect.stringContaining(sentence), path: ['input', ...path] },
    ];
    expect(single).toMatchObject({ purchase: null, errors: error('customer') });
    expect(ofLine).toMatchObject({
      order: null,
      errors: error('lines', '0', 'registration', 'customer'),
    });
    expect(ofDefaults).toMatchObject({ order: null, errors: error('defaults', 'customer') });
    expect(await gateway.countCalls()).not.toHaveProperty('registerdomain');
  });
});

test('the lines of an order are for their own customer or that of the defaults, and so are their retries', async () => {
  await gateway.admin('POST', '/faults', {
    ...{ fault: 'code', action: 'registerdomain', code: '2306', domain: 'order-refused.com' },
  });
  const lines = [
    { registration: { domain: 'order-own.com', customer: 'other' } },
    { registration: { domain: 'order-default.com' } },
    { transfer: { domain: 'outside-order.com', authCode: transferCode } },
    { registration: { domain: 'order-refused.com', customer: 'other' } },
  ];
  const input = { idempotencyKey: 'order', lines, defaults: { customer: 'acme' } };
  const { order: placed } = await place(input);
  const read = async (id: string) =>
    (await ask(`query ($id: ID!) { order(by: { id: $id }) { ${orderFields} } }`, { id })).order;
  await expect
    .poll(async () => (await read(placed.id)).lines.map(({ state }: Payload) => state))
    .toEqual(['SUCCEEDED', 'SUCCEEDED', 'IN_PROGRESS', 'FAILED']);

  const customers = ['other', 'acme', 'acme', 'other'];
  const { lines: ended } = await read(placed.id);
  expect(ended.map(({ customer }: Payload) => customer)).toEqual(customers);
  expect(ended.map(({ purchase }: Payload) => purchase.customer)).toEqual(customers);
  expect(await customerOf('order-default.com')).toBe('acme');

  clock.advance(6 * 86_400);
  await expect.poll(async () => (await read(placed.id)).lines[2].state).toBe('SUCCEEDED');
  const { retryOrder } = await ask(
    `mutation ($input: RetryOrderInput!) { retryOrder(input: $input) { order { ${orderFields} } errors { message } } }`,
    { input: { by: { id: placed.id }, idempotencyKey: 'again', registrant: { fields: ada } } },
  );
  expect(retryOrder).toMatchObject({
    order: { lines: [{ domainName: 'order-refused.com', customer: 'other' }] },
  });
  await expect.poll(() => customerOf('order-refused.com')).toBe('other');

  const changed = await place({ ...input, defaults: { customer: 'changed' } });
  expect(changed.errors).toMatchObject([
    { code: 'IDEMPOTENCY_CONFLICT', path: ['input', 'lines', '1'] },
  ]);
});

const download = (path: string, key: string) =>
  fetch(`${gateway.url}/export/${path}`, { headers: by(key) });
const rowsOf = async (path: string, key = 'staff') => {
  const response = await download(path, key);
  expect(response.status).toBe(200);
  return csvObjects(await response.text());
};

test('purchases are listed and exported by customer', async () => {
  const { purchases } = await ask(
    '{ purchases(filter: { customer: "other" }) { totalCount nodes { domainName } } }',
  );
  const rows = await rowsOf('purchases.csv?customer=other');

  const names = ['order-refused.com', 'order-refused.com', 'order-own.com'];
  expect(purchases.nodes.map(({ domainName }: Payload) => domainName).toSorted()).toEqual(
    names.toSorted(),
  );
  expect(rows.map(({ domain }) => domain).toSorted()).toEqual(names.toSorted());
  expect(new Set(rows.map(({ customer }) => customer))).toEqual(new Set(['other']));
  const all = await rowsOf('purchases.csv');
  expect(all.find(({ domain }) => domain === 'of-shop.com')).toMatchObject({ customer: '' });
});

describe('the statement of a month', () => {
  const month = () => clock.now().toISOString().slice(0, 7);

  test('has exact sums of the purchases and of those that came to nothing, by customer, caller, kind and currency', async () => {
    // A month in which nothing else was bought.
    const now = clock.now();
    const tenth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 10);
    clock.advance((tenth - now.getTime()) / 1_000);
    await register({ domain: 'statement-one.com', customer: 'acme', period: 3 });
    await register({ domain: 'statement-two.com', customer: 'acme' });
    await register({ domain: 'statement-three.com' }, 'buyer');
    await gateway.admin('POST', '/faults', {
      fault: 'code',
      action: 'registerdomain',
      code: '2306',
    });
    await register({ domain: 'statement-refused.com', customer: 'acme' });
    // Apart from the others, so that the balance shows its refund.
    clock.advance(3_600);
    const { purchase } = await transfer({ domain: 'reject-me.com', customer: 'acme' });
    const accepted = month();
    const stateOf = async () =>
      (await ask('query ($id: ID!) { purchase(by: { id: $id }) { state } }', { id: purchase.id }))
        .purchase.state;
    await gateway.resetCalls();
    clock.advance(40 * 86_400);
    await expect.poll(() => gateway.countCalls()).toHaveProperty('getdetails');
    clock.advance(61);
    await expect.poll(stateOf).toBe('FAILED');

    const rows = await rowsOf(`statement.csv?month=${accepted}`);
    const common = { currency: 'USD', costCurrency: 'USD' };
    expect(rows).toMatchObject([
      { customer: '', caller: 'buyer', kind: 'REGISTRATION', count: '1', ...common },
      { customer: 'acme', caller: 'backend', kind: 'REGISTRATION', count: '2', ...common },
      { customer: 'acme', caller: 'backend', kind: 'TRANSFER', count: '1', ...common },
    ]);
    const all = (await rowsOf('purchases.csv')).filter(
      ({ domain, state, createdAt }) =>
        createdAt?.startsWith(accepted) && (state === 'SUCCEEDED' || domain === 'reject-me.com'),
    );
    const sum = (texts: readonly (string | undefined)[]) =>
      texts.reduce((total, text) => total.plus(Decimal.parse(text ?? '')), Decimal.zero).toString();
    expect(sum(rows.map(({ paid }) => paid))).toBe(sum(all.map(({ price }) => price)));
    expect(sum(rows.map(({ spent }) => spent))).toBe(sum(all.map(({ cost }) => cost)));
    const zero = '0.0000';
    for (const { refunded, margin, paid, spent } of rows) {
      expect(refunded).toBe(zero);
      expect(sum([spent, margin])).toBe(paid);
    }
    // The registrar returned the cost of the transfer, and the margin is lost.
    const reversed = await rowsOf(`statement.csv?month=${month()}&customer=acme`);
    expect(reversed).toEqual([
      {
        ...{ customer: 'acme', caller: 'backend', kind: 'TRANSFER', count: '0', ...common },
        ...{ paid: zero, refunded: rows[2]?.paid, spent: `-${rows[2]?.spent}` },
        margin: `-${rows[2]?.margin}`,
      },
    ]);

    // Without `ops` the caller's own, and without `prices:cost` no cost.
    const own = await rowsOf(`statement.csv?month=${accepted}`, 'buyer');
    expect(own).toEqual([{ ...rows[0], spent: '', costCurrency: '', margin: '' }]);
  });

  test.each(['', '?month=2026-13', '?month=26-11', '?month=2026-11-01'])(
    'needs a month: %j',
    async (query) => {
      const response = await download(`statement.csv${query}`, 'staff');
      expect(response.status).toBe(400);
      expect((await response.json()).errors).toMatchObject([
        { message: 'Add the month of the statement, such as "?month=2026-11".' },
      ]);
    },
  );
});
