import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ProxyReply, startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { transferCode } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { approvalFields, codesOf, openApprovalShop, type Payload } from './approval-shop.ts';

let sandbox: Awaited<ReturnType<typeof startProxiedSandbox>>;
beforeAll(async () => {
  sandbox = await startProxiedSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox?.close());

/** The environment of gateways over one journal and the proxied sandbox. */
async function sharedEnv() {
  const folder = await newFolder('approved-work');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder, DOMAIN_API_URL: sandbox.url };
}

/** The price list with twice the price of a registration. */
async function doubled(forward: () => Promise<ProxyReply>): Promise<ProxyReply> {
  const reply = await forward();
  const text = JSON.stringify(reply.body).replaceAll('11.2900', '22.5800');
  return { ...reply, body: JSON.parse(text) };
}

test.each([
  ['the price is the cost', 'none'],
  ['the customer pays the same', 'list'],
])('a purchase whose cost rose after the request is not sent: %s', async (_case, prices) => {
  const env = await sharedEnv();
  const fixed = `${import.meta.dirname}/fixed-prices.json`;
  const PRICES_FILE = prices === 'none' ? 'none' : fixed;
  const { register, approve, approvals, settle, purchase, time } = await openApprovalShop({
    env: { ...env, PRICES_FILE },
  });
  const { purchase: asked } = await register({ domain: `dearer-${prices}.com` });
  expect(asked.approval.price).toEqual(asked.price);
  expect(asked.approval.cost).toBeNull();
  // This key has the scope `prices:cost`.
  expect((await approvals('second'))[0].cost.amount).toBe('11.2900');
  sandbox.intercept('tldlist', (_fields, forward) => doubled(forward));
  await time.pass(minuteMs);

  await approve(asked.approval.id);
  await settle();

  const failed = await purchase(asked.id);
  expect(failed).toMatchObject({
    ...{ state: 'FAILED', price: asked.price },
    errors: [{ __typename: 'ApprovalRequired', executed: 'NO', retryable: false }],
  });
  expect(sandbox.count('registerdomain')).toBe(0);
});

test('a gateway that starts after the approval sends the purchase once', async () => {
  const env = await sharedEnv();
  const { register, approve, time, shop, purchase } = await openApprovalShop({ env });
  const { purchase: asked } = await register({ domain: 'restarted.com' });
  await shop.gateway.restart();
  const { errors } = await approve(asked.approval.id);
  expect(errors).toEqual([]);
  await shop.gateway.restart();
  await time.pass(minuteMs);

  expect((await purchase(asked.id)).state).toBe('SUCCEEDED');
  expect(sandbox.count('registerdomain')).toBe(1);
});

test('of two replicas that decide at once one decides, and one purchase is sent', {
  tags: ['A1'],
}, async () => {
  const env = await sharedEnv();
  const one = await openApprovalShop({ env });
  const other = await openApprovalShop({ env, time: one.time });
  const { purchase: asked } = await one.register({ domain: 'decided-twice.com' });
  const { id } = asked.approval;

  const decisions = await Promise.all([one.approve(id), other.approve(id, 'second')]);
  expect(decisions.map(codesOf).toSorted()).toEqual([[], ['INVALID_INPUT']]);
  await one.settle();

  expect((await other.purchase(asked.id)).state).toBe('SUCCEEDED');
  expect(sandbox.count('registerdomain')).toBe(1);
});

test('of an approval and a rejection at once one is made', async () => {
  const env = await sharedEnv();
  const one = await openApprovalShop({ env });
  const other = await openApprovalShop({ env, time: one.time });
  const { purchase: asked } = await one.register({ domain: 'disputed.com' });
  const { id } = asked.approval;

  await Promise.all([one.approve(id), other.reject(id, 'No.', 'second')]);
  await one.settle();

  const { state, approval } = await one.purchase(asked.id);
  expect([state, approval.state]).toEqual(
    approval.state === 'GRANTED' ? ['SUCCEEDED', 'GRANTED'] : ['FAILED', 'REJECTED'],
  );
  expect(sandbox.count('registerdomain')).toBe(state === 'SUCCEEDED' ? 1 : 0);
});

const orderFields = `id state finishedAt progress { waiting succeeded failed cancelled }
  lines { state errors { code } } approval { ${approvalFields} }`;

async function openOrders(rules?: readonly object[]) {
  const shop = await openApprovalShop({ env: await sharedEnv(), ...(rules && { rules }) });
  const place = async (domains: readonly string[], key: string): Promise<Payload> => {
    const input = {
      idempotencyKey: key,
      defaults: { registrant: { fields: ada }, nameServers: ['ns1.example-dns.net'] },
      lines: domains.map((domain) => ({ registration: { domain } })),
    };
    const document = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
      order { ${orderFields} } replayed errors { code } } }`;
    return (await shop.ask('buyer', document, { input })).placeOrder;
  };
  const read = async (id: string): Promise<Payload> =>
    (
      await shop.ask('buyer', `query ($id: ID!) { order(by: { id: $id }) { ${orderFields} } }`, {
        id,
      })
    ).order;
  return { ...shop, place, read };
}

test('an order waits as a whole, and its lines are sent after the approval', {
  tags: ['A1'],
}, async () => {
  const { place, read, approve, settle, approvals } = await openOrders();
  const domains = ['ordered-1.com', 'ordered-2.com'];
  const { order, errors } = await place(domains, 'order');
  expect(errors).toEqual([]);
  expect(order).toMatchObject({
    ...{ state: 'AWAITING_APPROVAL', finishedAt: null, progress: { waiting: 2 } },
    approval: { operation: 'REGISTRATION', count: 2, subject: {}, state: 'REQUESTED' },
  });
  await settle();
  expect(await place(domains, 'order')).toMatchObject({ replayed: true, order: { id: order.id } });
  expect(await approvals('decider')).toHaveLength(1);
  expect(sandbox.count('registerdomain')).toBe(0);

  await approve(order.approval.id);
  await settle();
  expect(await read(order.id)).toMatchObject({ state: 'SUCCEEDED', progress: { succeeded: 2 } });
  expect(sandbox.count('registerdomain')).toBe(2);
});

test('the lines of a rejected order fail', async () => {
  const { place, read, reject, settle } = await openOrders();
  const { order } = await place(['refused-1.com', 'refused-2.com'], 'rejected');
  await reject(order.approval.id);
  await settle();
  const ended = await read(order.id);
  expect(ended.state).toBe('FAILED');
  expect(ended.lines.map(codesOf)).toEqual([['APPROVAL_REJECTED'], ['APPROVAL_REJECTED']]);
  expect(sandbox.count('registerdomain')).toBe(0);
});

test('an order that is cancelled cannot be approved', async () => {
  const { place, read, approve, ask } = await openOrders();
  const { order } = await place(['cancelled-1.com'], 'cancelled');
  const document = `mutation ($id: ID!) { cancelOrder(input: { id: $id }) {
    cancelled errors { code } } }`;
  const { cancelOrder } = await ask('buyer', document, { id: order.id });
  expect(cancelOrder).toEqual({ cancelled: 1, errors: [] });
  expect(codesOf(await approve(order.approval.id))).toEqual(['INVALID_INPUT']);
  expect(await read(order.id)).toMatchObject({
    ...{ state: 'STOPPED', approval: { state: 'CANCELLED' } },
  });
  expect(sandbox.count('registerdomain')).toBe(0);
});

test('a rule sees the total, the number of lines and the premium names of an order', async () => {
  const conditions = [
    { costAbove: { amount: '20', currency: 'USD' } },
    { countAbove: 1 },
    { premium: true },
  ];
  const rules = conditions.map((when) => ({ operations: ['REGISTRATION'], when }));
  for (const [at, rule] of rules.entries()) {
    const { place, approvals } = await openOrders([{ ...rule, expiresAfter: '1h' }]);
    const one = await place([`single-${at}.com`], 'one');
    expect([at, one.order.state]).toEqual([at, 'RUNNING']);
    if (at === 2) continue;
    const two = await place([`double-${at}.com`, `twice-${at}.com`], 'two');
    expect([at, two.order.state]).toEqual([at, 'AWAITING_APPROVAL']);
    // This key has the scope `prices:cost`.
    expect(await approvals('second')).toMatchObject([
      { price: { amount: '45.1600' }, cost: { amount: '22.5800' } },
    ]);
    if (at !== 1) continue;
    // A line that is refused needs no approval.
    const refused = await place(['counted-1.com', 'weather.com'], 'refused');
    expect(refused.order.approval).toBeNull();
    const counted = await place(['counted-2.com', 'weather.com', 'counted-3.com'], 'counted');
    expect(counted.order.approval).toMatchObject({ count: 2 });
  }
});

const changeFields = `id state finishedAt items { state errors { code } } approval { ${approvalFields} }`;

async function openChanges(rules?: readonly object[]) {
  const shop = await openApprovalShop(rules && { rules });
  const { domains } = await shop.ask(
    'buyer',
    '{ domains(first: 3, filter: { states: [ACTIVE] }) { nodes { name } } }',
  );
  const names = domains.nodes.map(({ name }: Payload) => name);
  const change = async (key: string): Promise<Payload> => {
    const hosts = [`ns1.${key}.net`, `ns2.${key}.net`];
    const input = {
      ...{ idempotencyKey: key, names, expectedCount: names.length },
      change: { setNameServers: hosts },
    };
    await shop.shop.gateway.resetCalls();
    const document = `mutation ($input: ChangeDomainsInput!) { changeDomains(input: $input) {
      bulkChange { ${changeFields} } errors { code } } }`;
    return (await shop.ask('buyer', document, { input })).changeDomains;
  };
  const onJob = async (field: string, id: string): Promise<Payload> =>
    (
      await shop.ask(
        'buyer',
        `mutation ($id: ID!) { ${field}(input: { id: $id }) { bulkChange { ${changeFields} } errors { code } } }`,
        { id },
      )
    )[field];
  const read = async (id: string): Promise<Payload> =>
    (
      await shop.ask(
        'buyer',
        `query ($id: ID!) { bulkChange(by: { id: $id }) { ${changeFields} } }`,
        {
          id,
        },
      )
    ).bulkChange;
  const writes = async () => (await shop.shop.gateway.countCalls()).modifynameserver ?? 0;
  return { ...shop, names, change, onJob, read, writes };
}

test('a bulk change waits, and changes its domains after the approval', {
  tags: ['A1'],
}, async () => {
  const { change, read, approve, settle, writes } = await openChanges();
  const { bulkChange, errors } = await change('approved-change');
  expect(errors).toEqual([]);
  expect(bulkChange).toMatchObject({
    ...{ state: 'AWAITING_APPROVAL', approval: { operation: 'BULK_CHANGE', count: 3, cost: null } },
  });
  await settle();
  expect(await writes()).toBe(0);
  await approve(bulkChange.approval.id);
  await settle();
  expect((await read(bulkChange.id)).state).toBe('SUCCEEDED');
  expect(await writes()).toBe(3);
});

test('the domains of a rejected bulk change are not changed, also by a retry', {
  tags: ['A1'],
}, async () => {
  const { change, read, reject, settle, onJob, writes, setRules, time } = await openChanges();
  const { bulkChange } = await change('rejected-change');
  await reject(bulkChange.approval.id);
  await settle();
  const ended = await read(bulkChange.id);
  expect(ended.state).toBe('FAILED');
  expect(ended.items.map(codesOf)).toEqual(Array(3).fill(['APPROVAL_REJECTED']));

  await setRules([{ operations: ['UNLOCK'], expiresAfter: '1h' }]);
  await time.pass(3 * secondMs);
  expect(codesOf(await onJob('retryBulkChange', bulkChange.id))).toEqual(['APPROVAL_REJECTED']);
  await settle();
  expect(await writes()).toBe(0);
});

test('a retry of a bulk change that a rule matches now is refused', async () => {
  const unlock = { operations: ['UNLOCK'], expiresAfter: '1h' };
  const { change, onJob, setRules, time, writes } = await openChanges([unlock]);
  const { bulkChange } = await change('not-matched');
  await onJob('cancelBulkChange', bulkChange.id);
  await time.pass(3 * secondMs);
  const before = await writes();
  await setRules([{ operations: ['BULK_CHANGE'], expiresAfter: '1h' }]);
  await time.pass(3 * secondMs);

  expect(codesOf(await onJob('retryBulkChange', bulkChange.id))).toEqual(['APPROVAL_REQUIRED']);
  await time.pass(3 * secondMs);
  expect(await writes()).toBe(before);
});

const single = (at: number) => /* GraphQL */ `
  on${at}: setPrivacyProtection(input: { domain: $name${at}, privacyProtected: true }) { errors { code message } }
  hosts${at}: setNameServers(input: { domain: $name${at}, nameServers: ["ns1.x.net", "ns2.x.net"] }) { errors { code } }
`;

test('changes of one document count as one bulk change', async () => {
  const { names, ask, shop } = await openChanges([
    { operations: ['BULK_CHANGE'], when: { countAbove: 2 }, expiresAfter: '1h' },
  ]);
  const document = `mutation ($name0: String!, $name1: String!, $name2: String!) {
    ${[0, 1, 2].map(single).join('')} }`;
  const variables = Object.fromEntries(
    names.map((name: string, at: number) => [`name${at}`, name]),
  );
  await shop.gateway.resetCalls();

  const { on2, hosts2, ...allowed } = await ask('buyer', document, variables);

  expect(Object.values<Payload>(allowed).flatMap(codesOf)).toEqual([]);
  expect([on2, hosts2].map(codesOf)).toEqual([['APPROVAL_REQUIRED'], ['APPROVAL_REQUIRED']]);
  expect(on2.errors[0].message).toContain('send the domains as one bulk change');
  const calls = await shop.gateway.countCalls();
  expect([calls.modifyprivacystatus, calls.modifynameserver]).toEqual([2, 2]);
  // Each alone is no bulk change.
  const alone = `mutation ($name2: String!) { ${single(2)} }`;
  expect(codesOf((await ask('buyer', alone, { name2: names[2] })).on2)).toEqual([]);
});

test('a change after a bulk change of the same document counts with it', async () => {
  const { names, ask } = await openChanges([
    { operations: ['BULK_CHANGE'], when: { countAbove: 3 }, expiresAfter: '1h' },
  ]);
  const change = { names: names.slice(1), expectedCount: 2, change: { privacyProtected: true } };
  const document = `mutation ($change: ChangeDomainsInput!, $again: ChangeDomainsInput!) {
    first: changeDomains(input: $change) { bulkChange { approval { state } } errors { code } }
    second: changeDomains(input: $again) { bulkChange { approval { state } } errors { code } } }`;

  const { first, second } = await ask('buyer', document, {
    change: { ...change, idempotencyKey: 'half' },
    again: { ...change, idempotencyKey: 'other half' },
  });

  expect(first).toEqual({ bulkChange: { approval: null }, errors: [] });
  expect(second).toEqual({ bulkChange: { approval: { state: 'REQUESTED' } }, errors: [] });
});

test('a decider reads the purchases and orders that wait', async () => {
  const { register, place, ask } = await openOrders();
  const { purchase } = await register({ domain: 'read-by-decider.com' });
  const { order } = await place(['read-in-order.com'], 'read');
  const document = '{ approvals { nodes { subject { __typename ... on Node { id } } } } }';

  for (const key of ['decider', 'overseer'] as const) {
    // In any order: both were requested in the same millisecond.
    const seen = (await ask(key, document)).approvals.nodes;
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual({ subject: { __typename: 'Order', id: order.id } });
    expect(seen).toContainEqual({ subject: { __typename: 'Purchase', id: purchase.id } });
  }
});

test('the first rule that matches counts, for an order and for a bulk change of two operations', async () => {
  const rules = ['TRANSFER', 'REGISTRATION', 'UNLOCK', 'BULK_CHANGE'].map((operation) => ({
    ...{ operations: [operation], expiresAfter: '1h' },
  }));
  const { ask, place } = await openOrders(rules);
  const lines = [
    { registration: { domain: 'first-rule.com' } },
    { transfer: { domain: 'outside-shop.com', authCode: transferCode } },
  ];
  const defaults = { registrant: { fields: ada }, nameServers: ['ns1.example-dns.net'] };
  const change = { names: ['reseller-demo.com'], expectedCount: 1, change: { unlock: true } };
  const { placeOrder, changeDomains } = await ask(
    'buyer',
    `mutation ($order: PlaceOrderInput!, $change: ChangeDomainsInput!) {
      placeOrder(input: $order) { order { approval { rule { position } operation } } errors { code } }
      changeDomains(input: $change) { bulkChange { approval { rule { position } operation subject { ... on BulkChange { key } } } } errors { code } } }`,
    {
      order: { idempotencyKey: 'both', lines, defaults },
      change: { idempotencyKey: 'unlock', ...change },
    },
  );

  expect([placeOrder.errors, placeOrder.order?.approval]).toEqual([
    ...[[], { rule: { position: 1 }, operation: 'TRANSFER' }],
  ]);
  expect([changeDomains.errors, changeDomains.bulkChange?.approval]).toEqual([
    ...[[], { rule: { position: 3 }, operation: 'UNLOCK', subject: { key: 'unlock' } }],
  ]);
  expect((await place(['only-bought.com'], 'one')).order.approval).toMatchObject({
    ...{ rule: { position: 2 }, operation: 'REGISTRATION' },
  });
});

test('costs of an approval need their scope', async () => {
  const { register, approvals } = await openApprovalShop();
  const { purchase } = await register({ domain: 'cost-of-approval.com' });
  const { approval, price } = purchase;
  expect(approval).toMatchObject({ price, cost: null });
  expect(price.amount).toBe('22.5800');
  expect((await approvals('decider'))[0].cost).toBeNull();
  expect((await approvals('second'))[0]).toMatchObject({ price, cost: { amount: '11.2900' } });
});

test('the decisions are events and entries of the audit log, refused ones too', async () => {
  const { register, approve, reject, ask, time } = await openApprovalShop({
    rules: [{ operations: ['REGISTRATION'], expiresAfter: '10m' }],
    env: { EVENTS_INTERVAL_SECONDS: '3600' },
  });
  const [granted, rejected, expired] = [
    await register({ domain: 'event-1.com' }),
    await register({ domain: 'event-2.com' }),
    await register({ domain: 'event-3.com' }),
  ].map(({ purchase }) => purchase.approval.id);
  await approve(granted, 'twin');
  await approve(granted);
  await reject(rejected);
  time.suspend(10 * minuteMs);
  await time.pass(minuteMs);

  const { events } = await ask(
    'overseer',
    `{ events(first: 50, filter: { types: [APPROVAL_REQUESTED, APPROVAL_GRANTED, APPROVAL_REJECTED, APPROVAL_EXPIRED] }) {
      nodes { type subject domainName caller source } } }`,
  );
  const of = (type: string) => events.nodes.filter((event: Payload) => event.type === type);
  expect(of('APPROVAL_REQUESTED')).toHaveLength(3);
  expect(of('APPROVAL_GRANTED')).toMatchObject([
    { subject: granted, domainName: 'event-1.com', caller: 'decider', source: 'GATEWAY' },
  ]);
  expect(of('APPROVAL_REJECTED')).toMatchObject([{ subject: rejected }]);
  expect(of('APPROVAL_EXPIRED')).toMatchObject([{ subject: expired, source: 'UPSTREAM' }]);

  const { auditLog } = await ask(
    'overseer',
    '{ auditLog(first: 50) { nodes { operation domainName caller outcome } } }',
  );
  const entries = auditLog.nodes.filter(({ operation }: Payload) =>
    ['approve', 'reject'].includes(operation),
  );
  expect(entries).toEqual([
    { operation: 'reject', domainName: 'event-2.com', caller: 'decider', outcome: 'OK' },
    { operation: 'approve', domainName: 'event-1.com', caller: 'decider', outcome: 'OK' },
    { operation: 'approve', domainName: 'event-1.com', caller: 'twin', outcome: 'FORBIDDEN' },
  ]);
  expect(auditLog.nodes).toContainEqual(
    expect.objectContaining({ operation: 'registerDomain', caller: 'buyer', outcome: 'SUCCEEDED' }),
  );
});
