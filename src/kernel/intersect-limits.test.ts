import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from './money.ts';
import { inCurrency, intersectLimits, type SpendLimits, unitsLeftBefore } from './spend-limits.ts';

const currencies = ['USD', 'TRY'] as const;
const list = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...currencies), fc.nat(20)), { selector: ([name]) => name })
  .map((entries) => entries.map(([currency, amount]) => money(String(amount), currency)));
const limits: fc.Arbitrary<SpendLimits> = fc.record(
  {
    perCall: list,
    perDay: list,
    perHour: fc.nat(5),
    tlds: fc.uniqueArray(fc.constantFrom('com', 'net', 'org')),
    longestPeriod: fc.nat(5),
  },
  { requiredKeys: [] },
);
const purchase = fc.record({
  amount: fc.nat(20),
  currency: fc.constantFrom(...currencies),
  tld: fc.constantFrom('com', 'net', 'org'),
  years: fc.integer({ min: 1, max: 5 }),
  before: fc.nat(5),
});
type Purchase = typeof purchase extends fc.Arbitrary<infer P> ? P : never;

function allows(limit: SpendLimits, { amount, currency, tld, years, before }: Purchase): boolean {
  const { perCall, perHour = Infinity, tlds, longestPeriod = Infinity } = limit;
  const price = money(String(amount), currency);
  const most = perCall && inCurrency(perCall, price);
  const left = unitsLeftBefore(limit, price);
  return (
    (most === undefined || (most !== null && price.amount.compare(most.amount) <= 0)) &&
    (left === null || before * 10_000 <= left) &&
    before < perHour &&
    (tlds?.includes(tld) ?? true) &&
    years <= longestPeriod
  );
}

test('the intersection of two limits allows exactly the purchases that both allow', () => {
  fc.assert(
    fc.property(limits, limits, purchase, (one, other, bought) => {
      const isAllowed = allows(one, bought) && allows(other, bought);
      expect(allows(intersectLimits(one, other), bought)).toBe(isAllowed);
    }),
    { numRuns: 500 },
  );
});
