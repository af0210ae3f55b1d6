import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { apiKeysOf } from '../../../../test/access/keys.ts';
import { startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { minuteMs } from '../../../../test/support/simulated-clock.ts';
import { allowPurchases, stopPurchases } from '../../../../test/support/stop-switch.ts';
import { codesOf, openApprovalShop, type Payload } from './approval-shop.ts';

let sandbox: Awaited<ReturnType<typeof startProxiedSandbox>>;
beforeAll(async () => {
  sandbox = await startProxiedSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox?.close());

const orderFields = `id state approval { id state count } progress { waiting succeeded }
  lines { domainName state errors { code message } }`;

/** The environment of gateways over one journal and the proxied sandbox. */
async function sharedEnv() {
  const folder = await newFolder('approved-orders');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder, DOMAIN_API_URL: sandbox.url };
}

/** Registrations that meet the conditions need an approval. */
async function openOrders(when: object, options: Parameters<typeof openApprovalShop>[0] = {}) {
  const rules = [{ operations: ['REGISTRATION'], when, expiresAfter: '1h' }];
  const shop = await openApprovalShop({ rules, ...options });
  const edit = async (field: string, input: object): Promise<Payload> => {
    const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { ${field}(input: $input) {
      order { ${orderFields} } errors { code } } }`;
    return (await shop.ask('buyer', document, { input }))[field];
  };
  return {
    ...shop,
    edit,
    /** By default two registrations of two years. */
    place: (name: string, members: object = {}): Promise<Payload> =>
      edit('placeOrder', {
        idempotencyKey: name,
        defaults: { registrant: { fields: ada }, nameServers: ['ns1.example-dns.net'] },
        lines: [0, 1].map((at) => ({ registration: { domain: `${name}-${at}.com`, period: 2 } })),
        ...members,
      }),
    read: async (id: string): Promise<Payload> =>
      (
        await shop.ask('buyer', `query ($id: ID!) { order(by: { id: $id }) { ${orderFields} } }`, {
          id,
        })
      ).order,
  };
}

/** Replaces this price of a year in the replies of the operation. */
const raisePrice = (action: string, price: string) =>
  sandbox.intercept(action, async (_fields, forward) => {
    const reply = await forward();
    const text = JSON.stringify(reply.body).replaceAll('11.2900', price);
    return { ...reply, body: JSON.parse(text) };
  });

/** Less than the cost of two registrations of two years. */
const dear = { costAbove: { amount: '20', currency: 'USD' } };

test('an order waits as a whole when a rule matches one of its lines', {
  tags: ['A1'],
}, async () => {
  const { place, read, approve, settle, purchases } = await openOrders({ premium: true });
  const lines = [{ domain: 'usual-name.com' }, { domain: 'qzx.com', acceptPremium: true }];
  const { order, errors } = await place('mixed', {
    lines: lines.map((registration) => ({ registration })),
  });
  expect(errors).toEqual([]);
  await settle();
  expect(await read(order.id)).toMatchObject({
    ...{ state: 'AWAITING_APPROVAL', progress: { waiting: 2 } },
    approval: { state: 'REQUESTED', count: 2 },
  });
  expect(await purchases()).toBe(0);

  await approve(order.approval.id);
  await settle();
  expect((await read(order.id)).state).toBe('SUCCEEDED');
  expect(await purchases()).toBe(2);
});

test('an order whose time ends fails, and is not sent', async () => {
  const { place, read, approve, time, purchases } = await openOrders(dear);
  const { order } = await place('overdue');
  time.suspend(60 * minuteMs);
  await time.pass(minuteMs);
  const ended = await read(order.id);
  expect([ended.state, ended.lines.map(codesOf)]).toEqual([
    'FAILED',
    [['APPROVAL_EXPIRED'], ['APPROVAL_EXPIRED']],
  ]);
  expect(codesOf(await approve(order.approval.id))).toEqual(['INVALID_INPUT']);
  expect(await purchases()).toBe(0);
});

test('an order is checked again after its approval, and not sent for a higher cost', async () => {
  const { place, read, approve, settle } = await openOrders(dear, { env: await sharedEnv() });
  const { order } = await place('dearer');
  await settle();
  raisePrice('tldlist', '22.5800');
  await approve(order.approval.id);
  await settle();
  const { lines } = await read(order.id);
  expect(lines.map((line: Payload) => [line.state, codesOf(line)])).toEqual(
    Array(2).fill(['FAILED', ['APPROVAL_REQUIRED']]),
  );
  expect(sandbox.count('registerdomain')).toBe(0);
});

test('a line that waited is not sent above its cost, also for a fixed price', async () => {
  const shared = await sharedEnv();
  const fifty = { costAbove: { amount: '50', currency: 'USD' } };
  const { place, read, time, approvals } = await openOrders(fifty, {
    env: {
      ...shared,
      PRICES_FILE: `${import.meta.dirname}/fixed-prices.json`,
      API_KEYS: apiKeysOf({
        buyer: ['domains:spend', 'domains:read', 'prices:cost'],
        twin: ['domains:read'],
        decider: ['approvals:decide'],
      }),
      JOB_CONCURRENCY: '1',
    },
  });
  const held = Promise.withResolvers<void>();
  sandbox.intercept('registerdomain', async (_fields, forward) => {
    await held.promise;
    return forward();
  });
  const maxCost = { amount: '12', currency: 'USD' };
  const { order, errors } = await place('fixed', {
    lines: [0, 1].map((at) => ({ registration: { domain: `fixed-${at}.com`, maxCost } })),
    maxTotalCost: [{ amount: '30', currency: 'USD' }],
  });
  expect(errors).toEqual([]);
  await expect.poll(() => sandbox.count('registerdomain')).toBe(1);
  await stopPurchases(shared, 'Ask Ada.');
  held.resolve();
  await time.pass(10_000);
  time.suspend(390_000);
  for (const action of ['tldlist', 'bulkcheckavailability', 'singlecheckavailability']) {
    raisePrice(action, '60.0000');
  }
  await allowPurchases(shared);
  await time.pass(2 * minuteMs);

  const [, ended] = (await read(order.id)).lines;
  expect([ended.state, codesOf(ended)]).toEqual(['FAILED', ['MAX_PRICE_EXCEEDED']]);
  expect(ended.errors[0].message).not.toMatch(/\d/);
  expect(sandbox.count('registerdomain')).toBe(1);
  expect(await approvals('decider')).toEqual([]);
});

test('a retry of a rejected order needs a new approval', async () => {
  const { place, edit, reject, settle, purchases } = await openOrders(dear);
  const { order } = await place('again');
  await reject(order.approval.id);
  await settle();
  const input = { by: { id: order.id }, idempotencyKey: 'more', registrant: { fields: ada } };
  const { order: retried } = await edit('retryOrder', input);
  await settle();
  expect(retried.approval).toMatchObject({ state: 'REQUESTED', count: 2 });
  expect(retried.approval.id).not.toBe(order.approval.id);
  expect(await purchases()).toBe(0);
});
