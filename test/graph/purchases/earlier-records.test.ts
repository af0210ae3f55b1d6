import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';

// An earlier record of the domain in the account is no proof of a purchase.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

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
