import { afterAll, describe, expect, test } from 'vitest';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { countPurchases, openShop, operationFields, order, type Payload } from './shop.ts';

const lateMs = 400;
const time = createGatewayClock();
const shop = await openShop({ time });
afterAll(() => shop.close());

const expectOpen = (made: Payload, upstreamCode: string | null = null) => {
  expect(made.purchase).toMatchObject({
    state: 'PENDING',
    submittedAt: expect.any(String),
    settledAt: null,
    nextStep: 'Do not buy again. Read this purchase until it is settled.',
  });
  expect(made.errors).toMatchObject([
    {
      __typename: 'OutcomeUnknown',
      code: 'OUTCOME_UNKNOWN',
      executed: 'UNKNOWN',
      retryable: false,
      purchase: { id: made.purchase.id },
      upstreamCode,
      message:
        'The registrar may or may not have executed the request; do not send it again, read the purchase instead.',
    },
  ]);
};

describe('a purchase that was made is found by a read when its reply is lost or damaged:', {
  tags: ['R9'],
}, () => {
  test.each([
    ['lost-answer', 'register', 'lost-answer-one.com'],
    ['lost-answer', 'transfer', 'lost-answer-outside-one.com'],
    ['empty', 'register', 'spoilt-empty.com'],
    ['cut', 'register', 'spoilt-cut.com'],
  ] as const)('%s on %s', async (fault, kind, domain) => {
    if (fault === 'empty' || fault === 'cut') await shop.arm(fault, { action: 'registerdomain' });

    const made = await shop[kind]({ domain });

    const state = kind === 'register' ? 'SUCCEEDED' : 'IN_PROGRESS';
    expect(made).toMatchObject({ purchase: { state, errors: [] }, errors: [] });
    expect(await countPurchases(shop)).toBe(1);
    const paid = (await shop.ledger()).filter((booking) => booking.domain === domain);
    expect(paid).toMatchObject([{ price: made.purchase.cost.amount }]);
  });

  test.each(['html', 'wrongtypes', 'maps'])(
    'a reply with the fault %s around OK is a success',
    async (fault) => {
      await shop.arm(fault, { action: 'registerdomain' });

      const made = await shop.register({ domain: `odd-reply-${fault}.com` });

      expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
      expect(await countPurchases(shop)).toBe(1);
    },
  );
});

describe('a purchase without a reply that no read finds is never reported as FAILED and never sent again:', {
  tags: ['R19', 'I4'],
}, () => {
  test.each([
    ['a gateway page (502)', 'gateway', {}],
    ['too busy (429)', 'busy', {}],
    ['a connection that breaks before', 'reset', {}],
    ['silence', 'hang', {}],
    ['a code that means a half-way failure', 'code', { code: '2400' }, 'API_2400_ERROR'],
    ['an unlisted code', 'code', { code: '7777' }, 'API_7777_ERROR'],
    ['an unlisted word', 'code', { code: 'STRANGE_ERROR' }, 'STRANGE_ERROR'],
    ['a code that is no number', 'code', { code: 'UNKNOWN_ERROR' }, 'UNKNOWN_ERROR'],
  ])('%s', async (_case, fault, facts, upstreamCode: string | null = null) => {
    const domain = `nothing-${fault}-${Object.values(facts).join().toLowerCase().replace('_', '-')}x.com`;
    const before = await shop.balances();
    await shop.arm(fault, { action: 'registerdomain', ...facts });

    const made = await shop.register({ domain });

    expectOpen(made, upstreamCode);
    expect(await countPurchases(shop)).toBe(1);
    expect(await shop.balances()).toEqual(before);
    expect(await shop.purchase(made.purchase.id)).toEqual(made.purchase);
    expect(await countPurchases(shop)).toBe(1);
  });
});

test('a purchase that the upstream makes after the timeout is found by a read by id and by key', {
  tags: ['R9'],
}, async () => {
  await shop.arm('late', { action: 'registerdomain', ms: lateMs });
  await shop.arm('late', { action: 'transferdomain', ms: lateMs });
  const made = await shop.register({ domain: 'comes-late.com', idempotencyKey: 'late-1' });
  const moved = await shop.transfer({ domain: 'outside-late.com', idempotencyKey: 'late-2' });
  expectOpen(made);
  expectOpen(moved);

  await time.pass(lateMs);
  expect(await shop.rows('outside-late.com')).toHaveLength(1);
  const byId = await shop.purchase(made.purchase.id);
  const { data } = await shop.gateway.query(
    `{ purchase(by: { key: "late-2" }) { ${operationFields} } }`,
  );

  expect(byId).toMatchObject({ state: 'SUCCEEDED', errors: [], settledAt: expect.any(String) });
  expect(data.purchase).toMatchObject({ id: moved.purchase.id, state: 'IN_PROGRESS' });
});

test('two reads of a purchase in one document share one upstream call', async () => {
  await shop.arm('late', { action: 'registerdomain', ms: lateMs });
  const { purchase } = await shop.register({ domain: 'read-twice.com' });
  await time.pass(lateMs);
  expect(await shop.rows('read-twice.com')).toHaveLength(1);
  await shop.gateway.resetCalls();

  const { data } = await shop.gateway.query(
    `query ($id: ID!) { one: purchase(by: { id: $id }) { state domain { name } } two: purchase(by: { id: $id }) { state } }`,
    { id: purchase.id },
  );

  expect(data).toEqual({
    one: { state: 'SUCCEEDED', domain: { name: 'read-twice.com' } },
    two: { state: 'SUCCEEDED' },
  });
  expect(await shop.gateway.countCalls()).toEqual({ getdetails: 1 });
});

test('a failed read of the domain after a purchase does not hide the purchase', {
  tags: ['G17'],
}, async () => {
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 9 });

  const { data, errors } = await shop.gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { state domainName price { amount } domain { name } } domain { name } errors { code } } }`,
    { input: order({ domain: 'unread-purchase.com' }) },
  );
  await shop.gateway.admin('DELETE', '/faults');

  expect(data.registerDomain).toEqual({
    purchase: {
      state: 'SUCCEEDED',
      domainName: 'unread-purchase.com',
      price: { amount: '22.5800' },
      domain: null,
    },
    domain: null,
    errors: [],
  });
  expect(errors).toMatchObject([
    {
      path: ['registerDomain', 'purchase', 'domain'],
      extensions: { code: 'UPSTREAM_UNAVAILABLE' },
    },
    { path: ['registerDomain', 'domain'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
  ]);
});

// An earlier record of the domain in the account is no proof of a purchase.
test.each([
  ['register', 'registerdomain', 'deleted-demo.com'],
  ['transfer', 'transferdomain', 'gone-demo.com'],
  ['transfer', 'transferdomain', 'rejected-demo.com'],
] as const)(
  'a lost %s (%s of %s) stays PENDING although the account has an earlier record of the domain',
  async (kind, action, domain) => {
    const before = await shop.balances();
    await shop.arm('reset', { action });

    const { purchase } = await shop[kind]({ domain });

    expect(purchase.state).toBe('PENDING');
    expect((await shop.purchase(purchase.id)).state).toBe('PENDING');
    expect(await shop.balances()).toEqual(before);
  },
);
