import { expect, test } from 'vitest';
import type { Caller } from '../../kernel/caller.ts';
import { money } from '../../kernel/money.ts';
// Adds the error codes of the features.
import '../index.ts';
import type { PaymentStore } from './store.ts';
import { createPaymentTerms, type PaymentRequired } from './terms.ts';

function termsOf(due: number, required: PaymentRequired = 'none', customer: string | null = null) {
  const created: unknown[] = [];
  const payments = {
    countDue: async () => due,
    create: async (...args: unknown[]) => void created.push(args),
  } as unknown as PaymentStore;
  const caller = { name: 'shop', customer } as Caller;
  const terms = createPaymentTerms({
    ...{ payments, caller, paymentRequired: required, account: 'demo' },
    ...{ clock: { now: () => new Date(0) }, byId: async () => null, wake: () => undefined },
  });
  return { terms, created };
}

const input = { payment: { expiresAfter: 'PT1H' } };
const order = {
  ...{ id: 'order', isHeld: false },
  lines: ['10.125', '0.005'].map((price, position) => ({ position, price: money(price, 'USD') })),
};

test('the total is the sum of the lines, each of which is rounded', async () => {
  const { terms, created } = termsOf(99);
  expect(await terms.hold(input, order)).toBe('payment');
  expect(created).toMatchObject([
    ['demo', { amountDue: 101_400n, owed: 101_400n }, [{ price: 101_300n }, { price: 100n }]],
  ]);
});

test('a caller has at most 100 orders that are not paid', async () => {
  const { terms, created } = termsOf(100);
  await expect(terms.hold(input, order)).rejects.toMatchObject({ code: 'TOO_MANY_UNPAID_ORDERS' });
  expect(created).toEqual([]);
});

test('an order with prices in two currencies is refused', async () => {
  const { terms, created } = termsOf(0);
  const lines = [...order.lines, { position: 2, price: money('1', 'EUR') }];
  await expect(terms.hold(input, { ...order, lines })).rejects.toThrow('in USD and EUR');
  expect(created).toEqual([]);
});

test.each<[PaymentRequired, string | null, boolean]>([
  ['none', 'ada', false],
  ['customers', null, false],
  ['customers', 'ada', true],
  ['all', null, true],
])(
  'with %s an order of the customer %s without a payment is refused: %s',
  (required, customer, isRefused) => {
    const { terms } = termsOf(0, required, customer);
    const check = () => terms.check({});
    if (isRefused) expect(check).toThrow('placeOrder');
    else expect(check).not.toThrow();
    expect(() => terms.check(input)).not.toThrow();
  },
);
