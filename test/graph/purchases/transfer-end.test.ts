import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStream } from '../../support/event-stream.ts';
import { everyTld } from '../../support/gateway.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { openShop, type Payload, type Shop } from './shop.ts';

const hour = 3_600;
const day = 24 * hour;
const reconcileEveryMs = 20;

let shop: Shop;
let clock: ReturnType<typeof createMovedClock>;
beforeEach(async () => {
  clock = createMovedClock();
  shop = await openShop({ clock, reconcileEveryMs, sandboxTlds: everyTld });
});
afterEach(() => shop.close());

const fields = /* GraphQL */ `
  id state nextStep settledAt errors { code executed retryable }
  transfer { stage startedAt expectedBy endedAt refunded }
`;

/** The record in the journal: a list reads the domain for the field `domain` only. */
const recorded = async (id: string, more = ''): Promise<Payload> => {
  const { data, errors } = await shop.gateway.query(
    `{ purchases { nodes { ${fields} ${more} } } }`,
  );
  expect(errors).toBeUndefined();
  return data.purchases.nodes.find((one: Payload) => one.id === id);
};
const stateOf = async (id: string) => (await recorded(id)).state;

const transfer = async (domain: string): Promise<Payload> => {
  const { purchase, errors } = await shop.transfer({ domain, idempotencyKey: domain });
  expect(errors).toEqual([]);
  expect(purchase.state).toBe('IN_PROGRESS');
  return purchase;
};

const domain = 'domain { state expiresAt }';

const settles = async (id: string) => {
  // A failure counts when two reads a minute apart show it.
  await expect.poll(() => shop.gateway.countCalls()).toHaveProperty('getdetails');
  clock.advance(61);
  await expect.poll(() => stateOf(id)).not.toBe('IN_PROGRESS');
  return recorded(id);
};

test('a transfer is IN_PROGRESS until the domain arrives, and then COMPLETED', {
  tags: ['R16', 'I3'],
}, async () => {
  const { id } = await transfer('outside-arrives.com');
  const begun = await recorded(id, domain);
  expect(begun).toMatchObject({
    settledAt: null,
    errors: [],
    nextStep: expect.stringContaining('five days'),
    transfer: { stage: 'REQUESTED', endedAt: null, refunded: null },
    domain: { state: 'PENDING_TRANSFER_IN' },
  });
  const { startedAt, expectedBy } = begun.transfer;
  expect(Date.parse(expectedBy) - Date.parse(startedAt)).toBe(5 * day * 1000);
  const query = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state transfer { stage } } }';
  const stream = await openStream(shop.gateway.url, { query, variables: { id } });
  const events = stream.rest();

  clock.advance(6 * day);
  await expect.poll(() => stateOf(id)).toBe('SUCCEEDED');

  const ended = await recorded(id, domain);
  expect(ended).toMatchObject({
    errors: [],
    transfer: { stage: 'COMPLETED', startedAt, expectedBy: null, refunded: null },
    domain: { state: 'ACTIVE' },
  });
  expect(ended.transfer.endedAt).toBe(ended.settledAt);
  const extended = Date.parse(ended.domain.expiresAt) - Date.parse(begun.domain.expiresAt);
  expect(Math.round(extended / day / 1000)).toBeGreaterThanOrEqual(365);
  expect((await events).map(({ event, data }) => [event, data?.data.purchaseSettled])).toEqual([
    ['next', { state: 'SUCCEEDED', transfer: { stage: 'COMPLETED' } }],
    ['complete', undefined],
  ]);
});

test('a rejected transfer is FAILED, and refunded when the balance shows the refund', async () => {
  const before = await shop.balances();
  const { id } = await transfer('reject-me.com');
  await shop.register({ domain: 'bought-beside-it.com' });
  await shop.gateway.resetCalls();

  clock.advance(6 * day);
  const ended = await settles(id);

  expect(ended).toMatchObject({
    state: 'FAILED',
    errors: [{ code: 'TRANSFER_REJECTED', executed: 'YES', retryable: false }],
    transfer: { stage: 'REJECTED', refunded: true },
  });
  const { USD } = await shop.balances();
  expect(Number(before.USD) - Number(USD)).toBeCloseTo(11.29);
  expect((await shop.gateway.countCalls()).resellerdetails).toBe(1);
});

test('a cancelled transfer without a refund is FAILED, with refunded false', {
  tags: ['R17'],
}, async () => {
  const { id } = await transfer('cancel-me.com');
  await shop.gateway.resetCalls();

  clock.advance(6 * day);

  expect(await settles(id)).toMatchObject({
    state: 'FAILED',
    errors: [{ code: 'TRANSFER_CANCELLED' }],
    transfer: { stage: 'CANCELLED', refunded: false },
  });
});

test('refunded is null when the exact debit of another purchase is unknown', async () => {
  const { id } = await transfer('cancel-me.construction');
  // Four years of .org cost 8.40 less than their highest price, which is the price of the transfer.
  await shop.register({ domain: 'estimated-beside-it.org', period: 4 });
  await shop.gateway.resetCalls();

  clock.advance(6 * day);

  expect((await settles(id)).transfer).toMatchObject({ stage: 'CANCELLED', refunded: null });
});

test('refunded is null after two rejected transfers, because the balance is ambiguous', async () => {
  const [one, two] = [await transfer('reject-one.com'), await transfer('reject-two.com')];
  await shop.gateway.resetCalls();

  clock.advance(6 * day);
  await settles(one.id);
  const ended = await settles(two.id);

  expect(ended.transfer).toMatchObject({ stage: 'REJECTED', refunded: null });
});

test('a restarted gateway follows the transfers that were in progress', {
  tags: ['I5'],
}, async () => {
  const { id } = await transfer('reject-restarted.com');
  await shop.gateway.restart();
  await shop.gateway.resetCalls();

  clock.advance(6 * day);

  expect((await settles(id)).transfer).toMatchObject({ stage: 'REJECTED', refunded: true });
});

describe('a transfer in progress is read', () => {
  const reads = async () => (await shop.gateway.countCalls()).getdetails ?? 0;
  const sweeps = () => clock.sweeps(reconcileEveryMs);

  test('at most once a minute for clients, whatever the number of requests', async () => {
    const { id } = await transfer('outside-watched.com');
    await shop.gateway.resetCalls();
    const send = () => Promise.all([1, 2, 3].map(() => shop.purchase(id)));

    await send();
    expect(await reads()).toBe(0);
    clock.advance(61);
    await send();
    expect(await reads()).toBe(1);
    expect((await shop.purchase(id)).state).toBe('IN_PROGRESS');
    expect(await reads()).toBe(1);
  });

  test('until no read succeeds for two weeks; then it is UNKNOWN after a second failed read', async () => {
    const { id } = await transfer('outside-lost.com');
    await shop.gateway.resetCalls();
    await shop.arm('code', { action: 'getdetails', code: '101', times: 1_000 });
    clock.advance(15 * day);
    // A read that fails is repeated twice.
    await expect.poll(reads, { timeout: 30_000 }).toBe(3);
    await sweeps();
    expect(await stateOf(id)).toBe('IN_PROGRESS');
    const oneMinuteLater = () => {
      clock.advance(61);
      return stateOf(id);
    };
    await expect.poll(oneMinuteLater, { timeout: 10_000, interval: 200 }).toBe('UNKNOWN');

    const { errors, transfer: progress, nextStep } = await recorded(id);
    expect(errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }]);
    expect(progress).toMatchObject({ stage: 'UNKNOWN', refunded: null });
    expect(nextStep).toContain('Do not buy again');
  });
});

test('a second transfer of a domain is refused while the first is in progress, and the error names it', {
  tags: ['I2'],
}, async () => {
  const { id } = await transfer('outside-twice.com');

  const second = await shop.transfer({ domain: 'outside-twice.com', idempotencyKey: 'other' });

  expect(second.purchase).toBeNull();
  expect(second.errors).toMatchObject([{ code: 'IDEMPOTENCY_CONFLICT', purchase: { id } }]);
});

test('a rejected transfer releases the domain and the spend limit, and a transfer in progress counts', async () => {
  await shop.close();
  const env = { SPEND_LIMITS: JSON.stringify({ perDay: ['25 USD'] }) };
  shop = await openShop({ clock, reconcileEveryMs, env });
  const { id } = await transfer('reject-spent.com');
  await shop.register({ domain: 'fits-beside.com' });
  const refused = await shop.register({ domain: 'too-much.com' });
  expect(refused.errors).toMatchObject([{ code: 'SPEND_LIMIT_EXCEEDED' }]);
  await shop.gateway.resetCalls();
  await shop.gateway.admin('POST', '/clock', { advanceDays: 6 });
  clock.advance(hour);

  expect(await settles(id)).toMatchObject({ state: 'FAILED' });

  const again = await shop.transfer({ domain: 'reject-spent.com', idempotencyKey: 'again' });
  expect(again).toMatchObject({ purchase: { state: 'IN_PROGRESS' }, errors: [] });
});

test('purchases can be filtered by stage and by time', async () => {
  await transfer('outside-listed.com');
  await shop.register({ domain: 'listed.com', idempotencyKey: 'listed.com' });
  const list = async (filter: string) => {
    const { data, errors } = await shop.gateway.query(
      `{ purchases(filter: { ${filter} }) { totalCount nodes { domainName } } }`,
    );
    expect(errors).toBeUndefined();
    return data.purchases.nodes.map(({ domainName }: Payload) => domainName);
  };
  const tomorrow = new Date(Date.now() + day * 1000).toISOString();

  expect(await list('transferStages: [REQUESTED]')).toEqual(['outside-listed.com']);
  expect(await list('transferStages: [COMPLETED, REJECTED]')).toEqual([]);
  expect(await list('states: [IN_PROGRESS]')).toEqual(['outside-listed.com']);
  expect(await list(`created: { from: "${tomorrow}" }`)).toEqual([]);
  expect(await list(`created: { until: "${tomorrow}" }`)).toEqual([
    'listed.com',
    'outside-listed.com',
  ]);
});
