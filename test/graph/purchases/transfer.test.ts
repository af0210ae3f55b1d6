import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMovedClock } from '../../support/moved-clock.ts';
import { priceOf } from '../../support/prices.ts';
import { openShop, type Shop } from './shop.ts';

let shop: Shop;
const clock = createMovedClock();
beforeAll(async () => {
  shop = await openShop({ clock });
});
afterAll(() => shop?.close());

const stateOf = async (domain: string) => {
  const { data } = await shop.gateway.query(`{ domain(name: "${domain}") { state } }`);
  return data.domain?.state;
};
const advance = (days: number) => shop.gateway.admin('POST', '/clock', { advanceDays: days });

// The upstream replies to one of these with the domain and to the other with the result alone.
test.each(['outside-one.com', 'outside-two.com', 'outside-three.net', 'outside-four.gen.tr'])(
  'a transfer is in progress once it is paid, and completes after the days of the registry: %s',
  { tags: ['R18'] },
  async (domain) => {
    const before = await shop.balances();

    const made = await shop.transfer({ domain });

    expect(made.purchase).toMatchObject({ kind: 'TRANSFER', state: 'IN_PROGRESS', errors: [] });
    expect(made.errors).toEqual([]);
    expect(await shop.gateway.countCalls()).toEqual({
      tldlist: 1,
      getdetails: 2,
      singlecheckavailability: 1,
      resellerdetails: 1,
      transferdomain: 1,
    });
    const { cost, price } = made.purchase;
    expect((await shop.ledger()).at(-1)?.price).toBe(cost.amount);
    expect(price.amount).toBe(priceOf(cost.amount));
    expect(Object.values(await shop.balances())).toContain(made.balanceAfter.amount);
    expect(await shop.balances()).not.toEqual(before);
    expect(await stateOf(domain)).toBe('PENDING_TRANSFER_IN');
    await advance(6);
    expect(await stateOf(domain)).toBe('ACTIVE');
  },
);

test.each(['reject-back.com', 'gone-demo.com', 'rejected-demo.com', 'cancelled-demo.com'])(
  'a domain that left the account or whose transfer failed can be transferred again: %s',
  async (domain) => {
    if (domain.startsWith('reject-')) {
      const { purchase } = await shop.transfer({ domain });
      await advance(6);
      expect(await stateOf(domain)).toBe('TRANSFER_FAILED');
      // The gateway confirms that with two reads, a minute apart.
      for (const state of ['IN_PROGRESS', 'FAILED']) {
        clock.advance(61);
        expect(await shop.purchase(purchase.id)).toMatchObject({ state });
      }
    }

    const made = await shop.transfer({ domain });

    expect(made.errors).toEqual([]);
    expect(made.purchase.state).toBe('IN_PROGRESS');
    expect(await stateOf(domain)).toBe('PENDING_TRANSFER_IN');
  },
);
