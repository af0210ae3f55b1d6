import { afterAll, describe, expect, test } from 'vitest';
import { openWatchedShop } from './journal.ts';
import { countPurchases } from './shop.ts';

const shop = await openWatchedShop();
afterAll(() => shop.close());

test('the state SENDING is on disk before the upstream receives the call', {
  tags: ['I1'],
}, async () => {
  await shop.arm('hold-before', { action: 'registerdomain' });
  const made = shop.register({ domain: 'durable-first.com' });
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });

  expect(await shop.rows('durable-first.com')).toEqual([]);
  expect(shop.row('durable-first.com')).toMatchObject({
    state: 'SENDING',
    cost_amount: '11.2900',
    cost_currency: 'USD',
    submitted_at: expect.any(String),
    settled_at: null,
  });

  await shop.gateway.admin('POST', '/release', {});
  expect((await made).purchase.state).toBe('SUCCEEDED');
});

describe('a journal that cannot be written', () => {
  const refused = [
    {
      __typename: 'PlainError',
      code: 'JOURNAL_UNAVAILABLE',
      executed: 'NO',
      message: 'The journal cannot be written, so nothing was sent; reads still work.',
    },
  ];

  test.each([
    ['at the claim', 'insert', 'true'],
    ['before the sending', 'update', "new.state = 'SENDING'"],
  ] as const)(
    'buys nothing when the write fails %s, and reads continue',
    async (_when, write, when) => {
      const before = await shop.balances();
      const restore = shop.refuse(write, when);
      const made = await shop.register({ domain: `unwritten-${write}.com` });
      const sent = await countPurchases(shop);
      const { data } = await shop.gateway.query(
        '{ domain(name: "reseller-demo.com") { name } purchases { nodes { state } } }',
      );
      restore();

      expect(made.purchase).toBeNull();
      expect(made.errors).toMatchObject(refused);
      expect(sent).toBe(0);
      expect(await shop.balances()).toEqual(before);
      expect(data.domain).toEqual({ name: 'reseller-demo.com' });
      expect(data.purchases.nodes.length).toBeGreaterThan(0);
    },
  );

  test('does not hide a successful purchase, and a later read updates the journal', async () => {
    const restore = shop.refuse('update', "new.state = 'SUCCEEDED'");
    const made = await shop.register({ domain: 'unwritten-yes.com' });
    const again = await shop.purchase(made.purchase.id);
    restore();

    expect(made.purchase).toMatchObject({ state: 'SUCCEEDED', settledAt: expect.any(String) });
    expect(made.errors).toEqual([]);
    expect(shop.row('unwritten-yes.com')).toMatchObject({ state: 'SENDING' });
    expect(again.state).toBe('SUCCEEDED');
    expect((await shop.purchase(made.purchase.id)).state).toBe('SUCCEEDED');
    expect(shop.row('unwritten-yes.com')).toMatchObject({ state: 'SUCCEEDED' });
  });

  test('does not hide a purchase whose reply was lost', async () => {
    const restore = shop.refuse('update', "new.state <> 'SENDING'");
    const made = await shop.register({ domain: 'lost-answer-unwritten.com' });
    restore();

    expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
    expect(await countPurchases(shop)).toBe(1);
  });
});

describe('after a crash of the gateway', () => {
  test('a purchase that was sent and made is found by a read', async () => {
    const { purchase } = await shop.register({ domain: 'died-sending.com' });
    shop.leave('died-sending.com', 'SENDING', 61_000);
    await shop.gateway.restart();

    expect(await shop.purchase(purchase.id)).toMatchObject({ state: 'SUCCEEDED', errors: [] });
  });

  test('a purchase that was sent and is not found is SENDING until its call has ended, then PENDING, and the domain cannot be bought again', {
    tags: ['R23'],
  }, async () => {
    await shop.arm('code', { action: 'registerdomain', code: '350' });
    const { purchase } = await shop.register({ domain: 'died-unseen.com' });
    shop.leave('died-unseen.com', 'SENDING', 10_000);
    const early = await shop.purchase(purchase.id);
    shop.leave('died-unseen.com', 'SENDING', 61_000);

    expect(early).toMatchObject({ state: 'SENDING', errors: [] });
    expect(await shop.purchase(purchase.id)).toMatchObject({
      state: 'PENDING',
      errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }],
    });
    const { errors } = await shop.register({ domain: 'died-unseen.com' });
    expect(errors).toMatchObject([{ code: 'IDEMPOTENCY_CONFLICT', purchase: { id: purchase.id } }]);
  });

  test('a purchase that was claimed and never sent fails after a minute, and the domain can be bought again', async () => {
    await shop.arm('code', { action: 'registerdomain', code: '350' });
    const { purchase } = await shop.register({ domain: 'died-claimed.com' });
    shop.leave('died-claimed.com', 'CLAIMED', 30_000);
    const young = await shop.purchase(purchase.id);
    shop.leave('died-claimed.com', 'CLAIMED', 61_000);
    const old = await shop.purchase(purchase.id);

    expect(young).toMatchObject({ state: 'SENDING', errors: [] });
    expect(old).toMatchObject({ state: 'FAILED', errors: [{ executed: 'NO' }] });
    expect((await shop.register({ domain: 'died-claimed.com' })).purchase.state).toBe('SUCCEEDED');
  });
});
