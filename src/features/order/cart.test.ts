import { expect, test } from 'vitest';
import { account, createTenant, problems } from '../../../test/support/modules/purchase-tenant.ts';
import { orders } from './parts.ts';

test.each([
  ['the balance does not cover it', { GATEWAY: {} }, '0', null],
  ['a spend limit is used up', { GATEWAY: { perHour: 0 } }, '100', null],
  ['purchases are stopped', { GATEWAY: {} }, '100', 'The books are closed.'],
])(
  'a cart is created although %s, which only refuses a purchase',
  async (_what, limits, balance, stopReason) => {
    const tenant = await createTenant(limits);
    const { resellerdetails } = tenant.upstream;
    tenant.upstream.resellerdetails = async (request) => {
      const reply = await resellerdetails?.(request);
      const body = JSON.parse(reply?.body ?? '');
      return { status: 200, body: JSON.stringify({ ...body, balance }) };
    };
    const since = tenant.clock.now();
    if (stopReason) await tenant.journal.stop(account, { since, reason: stopReason });
    const { use } = tenant.request({ scopes: ['domains:spend', 'prices:cost'] });
    const lines = [{ registration: { domain: 'maple.com', acceptPremium: false } }];

    const cart = await use(orders).cartItems({ lines });
    const { errors: inQuote } = await tenant.request().use(orders).quote({ lines });

    expect(problems(cart)).toEqual([]);
    expect(cart.items).toHaveLength(1);
    expect(inQuote).toHaveLength(1);
  },
);
