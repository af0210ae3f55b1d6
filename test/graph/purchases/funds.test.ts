import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPurchases, openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  const env = { DOMAIN_API_USERNAME: 'broke', DOMAIN_API_PASSWORD: 'broke-password' };
  shop = await openShop({ env });
});
afterAll(() => shop?.close());

const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a balance below the price refuses the purchase and reports both amounts', async () => {
  const { purchase, errors } = await shop.register({ domain: 'too-dear.com' });

  expect(purchase).toBeNull();
  expect(errors).toMatchObject([
    {
      __typename: 'InsufficientFunds',
      code: 'INSUFFICIENT_FUNDS',
      path: [],
      executed: 'NO',
      required: usd('11.2900'),
      available: usd('5.0000'),
    },
  ]);
  expect(await countPurchases(shop)).toBe(0);
  expect((await shop.balances()).USD).toBe('5.0000');
});

test('the balance in the currency of the price is compared', async () => {
  const { errors } = await shop.register({ domain: 'too-dear.gen.tr' });

  expect(errors).toMatchObject([
    {
      code: 'INSUFFICIENT_FUNDS',
      required: { amount: '149.0000', currency: 'TRY' },
      available: { amount: '0.0000', currency: 'TRY' },
    },
  ]);
});

test('a transfer needs a sufficient balance', async () => {
  const { errors } = await shop.transfer({ domain: 'outside-dear.com' });

  expect(errors).toMatchObject([{ code: 'INSUFFICIENT_FUNDS', required: usd('10.5900') }]);
  expect(await countPurchases(shop)).toBe(0);
});

test('a registration of a taken name reports no balance error', async () => {
  const { errors } = await shop.register({ domain: 'outside-taken.com', period: 10 });

  expect(errors).toMatchObject([{ code: 'NOT_AVAILABLE' }]);
  expect(errors).toHaveLength(1);
});

test('a free transfer needs no balance', async () => {
  const { purchase, price } = await shop.transfer({ domain: 'outside-free.co.uk' });

  expect([purchase.state, price]).toEqual(['IN_PROGRESS', usd('0.0000')]);
});

test('a balance equal to the price is sufficient', async () => {
  const made = await shop.register({ domain: 'last-cents.nl' });

  expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, balanceAfter: usd('0.1000') });
});
