import { afterAll, expect, test } from 'vitest';
import { priceOf } from '../../support/prices.ts';
import { countPurchases, openShop } from './shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

test.each([
  ['one year of com', 'exact-one.com', 1, '11.2900', 'USD'],
  ['three years: one and two renewals', 'exact-three.com', 3, '34.2700', 'USD'],
  ['two years with a listed price', 'exact-two.blog', 2, '36.8550', 'USD'],
  ['a TLD that is priced for two years only', 'exact-two.ai', 2, '139.8000', 'USD'],
  ['four years: two and a renewal of two', 'exact-four.ai', 4, '299.6000', 'USD'],
  ['the other currency', 'exact-lira.gen.tr', 2, '298.0000', 'TRY'],
  ['a TLD with two labels', 'exact-brit.co.uk', 1, '5.9000', 'USD'],
  ['a premium name', 'bitcoin.cc', 1, null, 'USD'],
])(
  'a purchase debits the highest cost of its quote: %s',
  async (_case, domain, period, amount, currency) => {
    const before = await shop.balances();

    const made = await shop.register({ domain, period, acceptPremium: true });

    expect(made.errors).toEqual([]);
    const booking = (await shop.ledger()).at(-1);
    expect(made.purchase.cost).toEqual({ amount: booking?.price, currency });
    expect(made.purchase.price).toEqual({ amount: priceOf(booking?.price ?? ''), currency });
    if (amount !== null) expect(booking?.price).toBe(amount);
    const code = currency === 'TRY' ? 'TL' : currency;
    const after = await shop.balances();
    expect(made.balanceAfter).toEqual({ amount: after[code], currency });
    const other = code === 'TL' ? 'USD' : 'TL';
    expect(after[other]).toBe(before[other]);
  },
);

test.each([
  ['below the price', { amount: '22.57', currency: 'USD' }],
  ['in another currency, however much', { amount: '99999', currency: 'EUR' }],
])('a maxPrice %s is refused with lowest and highest price', async (_case, maxPrice) => {
  const { purchase, errors } = await shop.register({ domain: 'guarded-name.com', maxPrice });

  expect(purchase).toBeNull();
  expect(errors).toMatchObject([
    {
      __typename: 'MaxPriceExceeded',
      code: 'MAX_PRICE_EXCEEDED',
      path: ['input', 'maxPrice'],
      executed: 'NO',
      maxPrice: { currency: maxPrice.currency },
      lowest: { amount: '22.5800', currency: 'USD' },
      highest: { amount: '22.5800', currency: 'USD' },
    },
  ]);
  expect(await countPurchases(shop)).toBe(0);
});

test('a maxPrice equal to the price is accepted, and TL equals TRY', async () => {
  const lira = { amount: '298', currency: 'TL' };
  const made = await shop.register({ domain: 'exact-guard.gen.tr', maxPrice: lira });

  expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
});

test('a premium name is refused with its price until the client accepts it', async () => {
  const { purchase, errors } = await shop.register({ domain: 'casino.cc' });

  expect(purchase).toBeNull();
  expect(errors).toMatchObject([
    {
      __typename: 'PremiumNotAccepted',
      code: 'PREMIUM_NOT_ACCEPTED',
      path: ['input', 'acceptPremium'],
      price: { currency: 'USD' },
      executed: 'NO',
    },
  ]);
  expect(await countPurchases(shop)).toBe(0);

  const accepted = await shop.register({ domain: 'casino.cc', acceptPremium: true });

  expect(accepted).toMatchObject({
    purchase: { state: 'SUCCEEDED', price: errors[0].price },
  });
  expect(priceOf((await shop.ledger()).at(-1)?.price ?? '')).toBe(errors[0].price.amount);
});

test('a dry run returns the price and the balance after it, buys nothing and writes nothing to the journal', async () => {
  const before = await shop.balances();

  const made = await shop.register({
    domain: 'only-tried.com',
    dryRun: true,
    idempotencyKey: 'tried',
  });

  expect(made).toMatchObject({
    purchase: null,
    quote: { highest: { amount: '22.5800', currency: 'USD' } },
    balanceAfter: { currency: 'USD' },
    dryRun: true,
    errors: [],
  });
  expect(await countPurchases(shop)).toBe(0);
  expect(await shop.balances()).toEqual(before);
  expect(await shop.rows('only-tried.com')).toEqual([]);
  const { data } = await shop.gateway.query(
    '{ purchase(by: { key: "tried" }) { id } purchases(filter: { domain: "only-tried.com" }) { totalCount } }',
  );
  expect(data).toEqual({ purchase: null, purchases: { totalCount: 0 } });

  const bought = await shop.register({ domain: 'only-tried.com', idempotencyKey: 'tried' });

  expect(bought).toMatchObject({ purchase: { state: 'SUCCEEDED' }, replayed: false });
});
