import { afterEach, expect, test } from 'vitest';
import { typeOf } from '../../errors/types.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { countPurchases, openShop, type Payload, type Shop, transferCode } from './shop.ts';

let shop: Shop;
afterEach(() => shop.close());

const paidFor = async (domain: string) =>
  (await shop.ledger()).filter((booking) => booking.domain === domain).length;

/** Starts a purchase and stops it between its claim and its call, where it reads whether the account has the domain. */
async function startHeld(
  kind: 'register' | 'transfer',
  input: object,
): Promise<{ payload: Promise<Payload>; release: () => Promise<unknown> }> {
  const after = kind === 'register' ? 0 : 1;
  await shop.arm('hold-before', { action: 'getdetails', after });
  const payload = shop[kind](input);
  const held = async () => ((await shop.gateway.admin('GET', '/held')) as { held: number }).held;
  await expect.poll(held).toBe(1);
  return { payload, release: () => shop.gateway.admin('POST', '/release', {}) };
}

test('a domain that the account got outside the gateway is not reported as this purchase, and nothing is sent', {
  tags: ['I3'],
}, async () => {
  shop = await openShop();
  const domain = 'outside-by-hand.com';
  const { payload, release } = await startHeld('transfer', { domain });
  await shop.gateway.callUpstream('transferdomain', { domain, authCode: transferCode, period: 1 });
  await shop.gateway.resetCalls();
  await release();

  const made = await payload;

  expect(made.purchase).toMatchObject({ state: 'FAILED', submittedAt: null });
  expect(made.errors).toMatchObject([{ code: 'TRANSFER_PENDING', executed: 'NO' }]);
  expect(await countPurchases(shop)).toBe(0);
  expect(await paidFor(domain)).toBe(1);
});

test('nothing is sent when the ownership of the domain cannot be read', async () => {
  shop = await openShop({ time: createGatewayClock() });
  await shop.arm('gateway', { action: 'getdetails', times: 3 });

  const made = await shop.register({ domain: 'not-readable.com' });

  expect(made.purchase).toMatchObject({ state: 'FAILED', submittedAt: null });
  expect(made.errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' }]);
  expect(await countPurchases(shop)).toBe(0);
});

test('a purchase whose duplicated call is refused with "exists" is SUCCEEDED', async () => {
  shop = await openShop();
  await shop.arm('twice', { action: 'registerdomain' });

  const made = await shop.register({ domain: 'arrives-twice.com' });

  expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED', errors: [] }, errors: [] });
  expect(await countPurchases(shop)).toBe(1);
  expect(await paidFor('arrives-twice.com')).toBe(1);
});

test.each([
  ['2302', 'ALREADY_EXISTS'],
  ['503', 'NOT_AVAILABLE'],
] as const)(
  'code %s alone does not prove a failure; the purchase is FAILED with %s after the quiet window',
  async (number, code) => {
    const clock = createMovedClock();
    shop = await openShop({ clock, env: { UPSTREAM_TIMEOUT_MS: '1000' } });
    await shop.arm('code', { action: 'registerdomain', code: number });

    const { purchase } = await shop.register({ domain: 'registered-before.com' });
    expect(purchase.state).toBe('PENDING');
    clock.advance(126);
    await shop.purchase(purchase.id);
    clock.advance(6);

    expect(await shop.purchase(purchase.id)).toMatchObject({
      state: 'FAILED',
      errors: [{ __typename: typeOf(code), code, executed: 'NO' }],
    });
  },
);

test('a wall clock that jumps by a day does not make a purchase FAILED', {
  tags: ['I4'],
}, async () => {
  const clock = createMovedClock();
  shop = await openShop({ clock });
  await shop.arm('reset', { action: 'registerdomain' });
  const { purchase } = await shop.register({ domain: 'clock-was-set.com' });

  clock.setWall(86_400);

  expect((await shop.purchase(purchase.id)).state).toBe('PENDING');
  clock.advance(6);
  expect((await shop.purchase(purchase.id)).state).toBe('PENDING');
});
