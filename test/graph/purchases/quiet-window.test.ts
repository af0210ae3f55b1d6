import { afterEach, expect, test } from 'vitest';
import { createMovedClock } from '../../support/moved-clock.ts';
import { countPurchases, openShop, type Shop } from './shop.ts';

let shop: Shop;
afterEach(() => shop.close());

/** The record in the journal: a list causes no upstream call. */
const recorded = async (key: string) => {
  const { data } = await shop.gateway.query(
    '{ purchases { nodes { key state submittedAt settledAt nextStep errors { code message executed } } } }',
  );
  return data.purchases.nodes.find((one: { key: string }) => one.key === key);
};

test('a purchase that the upstream never received is FAILED only after the quiet window and two reads', {
  tags: ['I4'],
}, async () => {
  const clock = createMovedClock();
  shop = await openShop({
    clock,
    env: { UPSTREAM_TIMEOUT_MS: '5000' },
  });
  const before = await shop.balances();
  await shop.arm('reset', { action: 'registerdomain' });
  const { purchase } = await shop.register({ domain: 'never-came.com', idempotencyKey: 'first' });
  const stateAfter = async (seconds: number) => {
    clock.advance(seconds);
    return (await shop.purchase(purchase.id)).state;
  };

  expect(purchase.state).toBe('PENDING');
  // Two seconds may pass before the call and fifteen with it; the window begins after them.
  expect(await stateAfter(130)).toBe('PENDING');
  expect(await stateAfter(12)).toBe('PENDING');
  expect(await stateAfter(1)).toBe('PENDING');
  expect(await stateAfter(5)).toBe('FAILED');

  expect(await shop.purchase(purchase.id)).toMatchObject({
    settledAt: expect.any(String),
    errors: [{ executed: 'NO', retryable: false }],
  });
  expect(await shop.balances()).toEqual(before);
  expect(await countPurchases(shop)).toBe(1);
  const again = await shop.register({ domain: 'never-came.com', idempotencyKey: 'second' });
  expect(again).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
});

test('the reconciler settles a purchase that the upstream makes late, without a client and without a second call', {
  tags: ['R19'],
}, async () => {
  shop = await openShop({ reconcileEveryMs: 30 });
  await shop.arm('late', { action: 'registerdomain', ms: 300 });

  const made = await shop.register({ domain: 'settles-itself.com', idempotencyKey: 'alone' });

  expect(made.purchase.state).toBe('PENDING');
  await expect
    .poll(() => recorded('alone'))
    .toMatchObject({
      state: 'SUCCEEDED',
      errors: [],
    });
  expect(await countPurchases(shop)).toBe(1);
});

test('a purchase that is open when the gateway stops is settled at the next start', {
  tags: ['I5'],
}, async () => {
  shop = await openShop();
  await shop.arm('lost-answer', { action: 'registerdomain' });
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 3 });
  const made = await shop.register({ domain: 'over-a-restart.com', idempotencyKey: 'restarted' });
  expect(made.purchase.state).toBe('PENDING');

  await shop.gateway.restart();

  await expect
    .poll(() => recorded('restarted'))
    .toMatchObject({
      state: 'SUCCEEDED',
    });
  expect(await shop.ledger()).toHaveLength(1);
});

test('a purchase whose outcome cannot be determined is UNKNOWN and tells the client what to do', {
  tags: ['R20', 'I5'],
}, async () => {
  const clock = createMovedClock();
  shop = await openShop({ clock });
  await shop.arm('reset', { action: 'registerdomain' });
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 100 });
  const { purchase } = await shop.register({ domain: 'who-knows.com', idempotencyKey: 'dark' });

  clock.advance(14 * 60);
  expect((await shop.purchase(purchase.id)).state).toBe('PENDING');
  clock.advance(2 * 60);
  await shop.purchase(purchase.id);

  // The read continues after the response, because its retries can take longer.
  await expect
    .poll(() => recorded('dark'))
    .toMatchObject({
      state: 'UNKNOWN',
      nextStep: expect.stringContaining('Do not buy again'),
      errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }],
    });
});
