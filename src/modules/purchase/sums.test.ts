import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import { Decimal, type Money, money } from '../../kernel/money.ts';
import type { Charge } from '../../persistence/purchase-queries.ts';
import { sumCharges } from './sums.ts';

const amount = fc
  .tuple(fc.nat(10 ** 12), fc.nat(9_999))
  .map(([whole, rest]) => `${whole}.${String(rest).padStart(4, '0')}`);
const sum = fc.option(
  fc.tuple(amount, fc.constantFrom('USD', 'EUR', 'TRY')).map(([text, code]) => money(text, code)),
);
const charges = fc.array(
  fc.record({
    step: fc.constantFrom('ACCEPTED' as const, 'REVERSED' as const),
    customer: fc.constantFrom(null, 'acme', 'acme"', 'a,b'),
    price: sum,
    cost: sum,
    isReturned: fc.boolean(),
  }),
);
const groupOf = ({ customer }: Charge) => ({ customer });

async function sumsOf(some: readonly object[], caller: Caller = anonymous) {
  const read = async function* () {
    yield* some as readonly Charge[];
  };
  return sumCharges(caller, read(), groupOf);
}

/** The sums by currency, of amounts that are added or subtracted. */
function total(parts: readonly (readonly [Money | null, -1 | 1])[]) {
  const sums = new Map<string, Decimal>();
  for (const [one, sign] of parts) {
    if (!one) continue;
    const before = sums.get(one.currency) ?? Decimal.zero;
    sums.set(one.currency, sign === 1 ? before.plus(one.amount) : before.minus(one.amount));
  }
  return Object.fromEntries([...sums].map(([code, of]) => [code, of.toString()]).sort());
}

const moneyOf = (of: Decimal | null, currency: string | null): Money | null =>
  of && currency !== null ? { amount: of, currency } : null;

test('the sums are exactly those of the charges, per currency', async () => {
  await fc.assert(
    fc.asyncProperty(charges, async (some) => {
      const rows = await sumsOf(some);
      const accepted = some.filter(({ step }) => step === 'ACCEPTED');
      const reversed = some.filter(({ step }) => step === 'REVERSED');
      const known = (all: ReturnType<typeof total>) => Object.keys(all);

      const paid = total(rows.map((row) => [moneyOf(row.paid, row.currency), 1]));
      const prices = total([
        ...accepted.map(({ price }) => [price, 1] as const),
        // A currency in which nothing was paid has a sum of zero.
        ...reversed.map(({ price }) => [price && money('0', price.currency), 1] as const),
      ]);
      expect(paid).toEqual(prices);
      const refunded = total(rows.map((row) => [moneyOf(row.refunded, row.currency), 1]));
      expect(known(refunded)).toEqual(known(paid));
      expect(refunded).toMatchObject(total(reversed.map(({ price }) => [price, 1])));
      const spent = total(rows.map((row) => [moneyOf(row.spent, row.costCurrency), 1]));
      expect(spent).toMatchObject(
        total([
          ...accepted.map(({ cost }) => [cost, 1] as const),
          ...reversed.map(({ cost, isReturned }) => [isReturned ? cost : null, -1] as const),
        ]),
      );
      expect(rows.reduce((count, row) => count + row.count, 0)).toBe(accepted.length);
      const keys = rows.map((row) =>
        JSON.stringify([row.customer, row.currency, row.costCurrency]),
      );
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 100 },
  );
});

const charge = (price: string | null, cost: string | null, more: object = {}) => ({
  ...{ step: 'ACCEPTED', customer: 'acme', isReturned: false, ...more },
  price: price === null ? null : money(...(price.split(' ') as [string, string])),
  cost: cost === null ? null : money(...(cost.split(' ') as [string, string])),
});
const reversed = { step: 'REVERSED' };
const marginOf = async (...some: readonly object[]) =>
  (await sumsOf(some)).map(({ margin }) => margin?.toString() ?? null);

test.each([
  ['price less cost', [charge('15 USD', '10 USD')], ['5.0000']],
  [
    'a loss, for a transfer that failed and whose cost was not returned',
    [charge('15 USD', '10 USD'), charge('15 USD', '10 USD', reversed)],
    ['-10.0000'],
  ],
  [
    'nothing, for one whose cost was returned',
    [charge('15 USD', '10 USD'), charge('15 USD', '10 USD', { ...reversed, isReturned: true })],
    ['0.0000'],
  ],
  ['not known, for two currencies', [charge('15 EUR', '10 USD')], [null]],
  ['not known, without a price', [charge(null, '10 USD')], [null]],
  ['not known, without a cost', [charge('15 USD', null)], [null]],
])('the margin is %s', async (_what, some, margins) => {
  expect(await marginOf(...some)).toEqual(margins);
});

test('a caller that does not know costs sees neither them nor the margin', async () => {
  const caller = { ...anonymous, name: 'shop', scopes: new Set(['domains:spend' as const]) };

  const rows = await sumsOf([charge('15 EUR', '10 USD'), charge('7 EUR', '6 EUR')], caller);

  // Also not that there are two currencies of costs.
  expect(rows).toEqual([
    {
      ...{ customer: 'acme', count: 2, currency: 'EUR', costCurrency: null },
      ...{ paid: Decimal.parse('22'), refunded: Decimal.zero, spent: null, margin: null },
    },
  ]);
});
