import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { apiKeysOf } from '../../../../test/access/keys.ts';
import { startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { minuteMs } from '../../../../test/support/simulated-clock.ts';
import { allowPurchases, stopPurchases } from '../../../../test/support/stop-switch.ts';
import { approvalFields, codesOf, openApprovalShop, type Payload } from './approval-shop.ts';

let sandbox: Awaited<ReturnType<typeof startProxiedSandbox>>;
beforeAll(async () => {
  sandbox = await startProxiedSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox?.close());

/** Matches a registration of two years, and not one of a year. */
const dear = {
  operations: ['REGISTRATION'],
  when: { costAbove: { amount: '20', currency: 'USD' } },
  expiresAfter: '1h',
};
const perLine = { ...dear, perLine: true };

const orderFields = `id state approval { id } progress { waiting succeeded failed cancelled }
  lines { domainName state errors { code message } approval { ${approvalFields} } }`;

/** The environment of gateways over one journal and the proxied sandbox. */
async function sharedEnv() {
  const folder = await newFolder('approved-lines');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder, DOMAIN_API_URL: sandbox.url };
}

async function openLines(options: Parameters<typeof openApprovalShop>[0] = {}) {
  const shop = await openApprovalShop({ rules: [perLine], ...options });
  const edit = async (field: string, input: object): Promise<Payload> => {
    const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { ${field}(input: $input) {
      order { ${orderFields} } errors { code } } }`;
    return (await shop.ask('buyer', document, { input }))[field];
  };
  return {
    ...shop,
    edit,
    /** One line of a year, and two of two years. */
    place: (name: string, members: object = {}): Promise<Payload> =>
      edit('placeOrder', {
        idempotencyKey: name,
        defaults: { registrant: { fields: ada }, nameServers: ['ns1.example-dns.net'] },
        lines: [1, 2, 2].map((period, at) => ({
          registration: { domain: `${name}-${at}.com`, period },
        })),
        ...members,
      }),
    read: async (id: string): Promise<Payload> =>
      (
        await shop.ask('buyer', `query ($id: ID!) { order(by: { id: $id }) { ${orderFields} } }`, {
          id,
        })
      ).order,
    cancelOrder: async (id: string): Promise<Payload> =>
      (
        await shop.ask(
          'buyer',
          `mutation ($id: ID!) { cancelOrder(input: { id: $id }) { cancelled errors { code } } }`,
          { id },
        )
      ).cancelOrder,
  };
}
const statesOf = ({ lines }: Payload) => lines.map(({ state }: Payload) => state);
const approvalsOf = ({ lines }: Payload) => lines.map(({ approval }: Payload) => approval?.state);
const idOf = ({ lines }: Payload, line: number): string => lines[line].approval.id;

test('lines that a rule matches wait one by one, and the others are sent at once', {
  tags: ['A1'],
}, async () => {
  const { place, read, approve, reject, settle, approvals, ask, purchases } = await openLines();
  const { order, errors } = await place('mixed');
  expect(errors).toEqual([]);
  expect(order).toMatchObject({ state: 'RUNNING', approval: null });
  expect(order.lines.map(({ approval }: Payload) => approval)).toMatchObject([
    null,
    { operation: 'REGISTRATION', domainName: 'mixed-1.com', count: 1, state: 'REQUESTED' },
    { domainName: 'mixed-2.com', rule: 'rule 1', price: { amount: '45.5600' } },
  ]);
  await settle();
  expect(await read(order.id)).toMatchObject({
    ...{ state: 'AWAITING_APPROVAL', progress: { waiting: 2, succeeded: 1 } },
  });
  expect((await place('mixed')).order.id).toBe(order.id);
  expect(await approvals('decider')).toHaveLength(2);
  expect(await purchases()).toBe(1);
  const document = `{ approvals { nodes { domainName order { id } orderLine { position period } } } }`;
  expect((await ask('decider', document)).approvals.nodes).toContainEqual({
    ...{ domainName: 'mixed-1.com', order: { id: order.id } },
    orderLine: { position: 1, period: 2 },
  });

  await approve(idOf(order, 1));
  await settle();
  expect(await read(order.id)).toMatchObject({
    ...{ state: 'AWAITING_APPROVAL', progress: { waiting: 1, succeeded: 2 } },
  });
  await reject(idOf(order, 2));
  await settle();
  const ended = await read(order.id);
  expect([ended.state, statesOf(ended)]).toEqual(['PARTIAL', ['SUCCEEDED', 'SUCCEEDED', 'FAILED']]);
  expect(ended.lines.map(codesOf)).toEqual([[], [], ['APPROVAL_REJECTED']]);
  expect(await purchases()).toBe(2);
});

test('events and the audit log have the domain of a line', async () => {
  const { place, approve, settle, ask } = await openLines({
    env: { EVENTS_INTERVAL_SECONDS: '3600' },
  });
  const { order } = await place('logged');
  await approve(idOf(order, 1));
  await settle();
  const { events, auditLog } = await ask(
    'overseer',
    `{ events(filter: { types: [APPROVAL_REQUESTED, APPROVAL_GRANTED] }) { nodes { type subject domainName } }
      auditLog { nodes { operation domainName } } }`,
  );
  const subject = idOf(order, 1);
  expect(events.nodes).toHaveLength(3);
  for (const type of ['APPROVAL_REQUESTED', 'APPROVAL_GRANTED']) {
    expect(events.nodes).toContainEqual({ type, subject, domainName: 'logged-1.com' });
  }
  expect(auditLog.nodes).toContainEqual({ operation: 'approve', domainName: 'logged-1.com' });
});

test('lines whose time ends fail, and are not sent', async () => {
  const { place, read, approve, time, purchases } = await openLines();
  const { order } = await place('overdue');
  time.suspend(60 * minuteMs);
  await time.pass(minuteMs);
  const ended = await read(order.id);
  expect(ended.lines.map(codesOf)).toEqual([[], ['APPROVAL_EXPIRED'], ['APPROVAL_EXPIRED']]);
  expect(codesOf(await approve(idOf(order, 1)))).toEqual(['INVALID_INPUT']);
  expect(await purchases()).toBe(1);
});

test('cancelOrder ends the lines that wait, with their approvals', async () => {
  const { place, read, approve, settle, cancelOrder, purchases } = await openLines();
  const { order } = await place('ended');
  await approve(idOf(order, 1));
  await settle();
  expect(await cancelOrder(order.id)).toEqual({ cancelled: 1, errors: [] });
  expect(codesOf(await approve(idOf(order, 2)))).toEqual(['INVALID_INPUT']);
  await settle();
  const ended = await read(order.id);
  expect([ended.state, statesOf(ended)]).toEqual([
    'STOPPED',
    ['SUCCEEDED', 'SUCCEEDED', 'CANCELLED'],
  ]);
  expect(approvalsOf(ended)).toEqual([undefined, 'GRANTED', 'CANCELLED']);
  expect(await purchases()).toBe(2);
});

test('with STOP a rejected line ends the other ones that wait, with their approvals', async () => {
  const { place, read, reject, approve, settle, purchases } = await openLines();
  const { order } = await place('stopped', { onFailure: 'STOP' });
  await settle();
  await reject(idOf(order, 2));
  await settle();
  const ended = await read(order.id);
  expect([ended.state, statesOf(ended)]).toEqual(['STOPPED', ['SUCCEEDED', 'CANCELLED', 'FAILED']]);
  expect(approvalsOf(ended)).toEqual([undefined, 'CANCELLED', 'REJECTED']);
  expect(codesOf(await approve(idOf(order, 1)))).toEqual(['INVALID_INPUT']);
  expect(await purchases()).toBe(1);
});

test('two lines that two replicas decide about at once are each sent once', {
  tags: ['A1'],
}, async () => {
  const env = await sharedEnv();
  const one = await openLines({ env });
  const other = await openLines({ env, time: one.time });
  const { order } = await one.place('replicas');
  const decisions = await Promise.all([
    one.approve(idOf(order, 1)),
    other.approve(idOf(order, 1), 'second'),
    other.approve(idOf(order, 2), 'second'),
  ]);
  expect(decisions.map(codesOf).toSorted()).toEqual([[], [], ['INVALID_INPUT']]);
  await one.settle();
  expect((await other.read(order.id)).state).toBe('SUCCEEDED');
  expect(sandbox.count('registerdomain')).toBe(3);
});

test.each([
  ['a line', perLine, 1],
  ['an order', dear, 0],
])(
  '%s is checked again after its approval, and not sent for a higher cost',
  async (what, rule, sentBefore) => {
    const options = { rules: [rule], env: await sharedEnv() };
    const { place, read, approve, settle } = await openLines(options);
    const { order } = await place(`dearer-${sentBefore}`);
    await settle();
    sandbox.intercept('tldlist', async (_fields, forward) => {
      const reply = await forward();
      const text = JSON.stringify(reply.body).replaceAll('11.2900', '22.5800');
      return { ...reply, body: JSON.parse(text) };
    });
    await approve(what === 'a line' ? idOf(order, 1) : order.approval.id);
    await settle();
    const lines = (await read(order.id)).lines.slice(sentBefore, 2);
    for (const line of lines) {
      expect([line.state, codesOf(line)]).toEqual(['FAILED', ['APPROVAL_REQUIRED']]);
    }
    expect(sandbox.count('registerdomain')).toBe(sentBefore);
  },
);

test('a line that waited is not sent above its cost, also for a fixed price', async () => {
  const fifty = { costAbove: { amount: '50', currency: 'USD' } };
  const shared = await sharedEnv();
  const { place, read, time, approvals } = await openLines({
    rules: [{ ...dear, when: fifty }],
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
    sandbox.intercept(action, async (_fields, forward) => {
      const reply = await forward();
      const text = JSON.stringify(reply.body).replaceAll('11.2900', '60.0000');
      return { ...reply, body: JSON.parse(text) };
    });
  }
  await allowPurchases(shared);
  await time.pass(2 * minuteMs);

  const ended = await read(order.id);
  expect([statesOf(ended)[1], codesOf(ended.lines[1])]).toEqual(['FAILED', ['MAX_PRICE_EXCEEDED']]);
  expect(ended.lines[1].errors[0].message).not.toMatch(/\d/);
  expect(sandbox.count('registerdomain')).toBe(1);
  expect(await approvals('decider')).toEqual([]);
});

test('a retry of rejected lines needs new approvals', async () => {
  const { place, edit, reject, settle, purchases } = await openLines();
  const { order } = await place('again');
  await reject(idOf(order, 1));
  await reject(idOf(order, 2));
  await settle();
  const input = { by: { id: order.id }, idempotencyKey: 'more', registrant: { fields: ada } };
  const { order: retried } = await edit('retryOrder', input);
  await settle();
  expect(approvalsOf(retried)).toEqual(['REQUESTED', 'REQUESTED']);
  expect(idOf(retried, 0)).not.toBe(idOf(order, 1));
  expect(await purchases()).toBe(1);
});

test('an order that a rule matches as a whole waits as a whole, wherever the rule is', async () => {
  const whole = { operations: ['REGISTRATION'], when: { countAbove: 2 }, expiresAfter: '1h' };
  for (const [at, rules] of [
    [perLine, whole],
    [whole, perLine],
  ].entries()) {
    const { place, approve, read, settle, purchases } = await openLines({ rules });
    const { order } = await place(`whole-${at}`);
    expect([order.state, approvalsOf(order)]).toEqual([
      'AWAITING_APPROVAL',
      Array(3).fill(undefined),
    ]);
    await settle();
    expect(await purchases()).toBe(0);
    await approve(order.approval.id);
    await settle();
    expect((await read(order.id)).state).toBe('SUCCEEDED');
  }
});

test('a single purchase waits by such a rule too', async () => {
  const { register } = await openLines();
  const { purchase } = await register({ domain: 'single-line.com', period: 2 });
  expect(purchase).toMatchObject({ state: 'AWAITING_APPROVAL', approval: { rule: 'rule 1' } });
});
