import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPurchases, openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  const env = { DOMAIN_API_USERNAME: 'broke', DOMAIN_API_PASSWORD: 'broke-password' };
  shop = await openShop({ env });
});
afterAll(() => shop?.close());

const usd = (amount: string) => ({ amount, currency: 'USD' });
const lira = (amount: string) => ({ amount, currency: 'TRY' });

test.each([
  ['a registration', 'register', { domain: 'too-dear.com' }, usd('11.2900'), usd('5.0000')],
  ['a transfer', 'transfer', { domain: 'outside-dear.com' }, usd('10.5900'), usd('5.0000')],
  [
    'a currency of its own',
    'register',
    { domain: 'too-dear.gen.tr' },
    lira('149.0000'),
    lira('0.0000'),
  ],
  [
    'the highest cost of a quote',
    'register',
    { domain: 'two-years.xyz', period: 2 },
    usd('16.3900'),
    usd('5.0000'),
  ],
] as const)(
  'a balance below the cost refuses the purchase and reports both amounts: %s',
  { tags: ['G29'] },
  async (_what, kind, input, required, available) => {
    const { purchase, errors } = await shop[kind](input);

    expect(purchase).toBeNull();
    expect(errors).toMatchObject([
      {
        ...{ __typename: 'InsufficientFunds', code: 'INSUFFICIENT_FUNDS', path: null },
        ...{ executed: 'NO', required, available },
      },
    ]);
    expect(await countPurchases(shop)).toBe(0);
    expect((await shop.balances()).USD).toBe('5.0000');
  },
);

test('a registration of a taken name reports no balance error', async () => {
  const { errors } = await shop.register({ domain: 'outside-taken.com', period: 10 });

  expect(errors).toMatchObject([{ code: 'NOT_AVAILABLE' }]);
  expect(errors).toHaveLength(1);
});

test('a free transfer needs no balance', async () => {
  const { purchase } = await shop.transfer({ domain: 'outside-free.co.uk' });

  expect([purchase.state, purchase.price]).toEqual(['IN_PROGRESS', usd('0.0000')]);
});

test('a balance equal to the cost is sufficient', async () => {
  const made = await shop.register({ domain: 'last-cents.nl' });

  expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, balanceAfter: usd('0.1000') });
});
