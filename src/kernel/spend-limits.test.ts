import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money } from './money.ts';
import {
  countedBreaches,
  inCurrency,
  intersectLimits,
  type SpendLimits,
  spendUnits,
  unitsLeftBefore,
} from './spend-limits.ts';

const price = money('10', 'USD');
/** Values that `toEqual` compares completely: it ignores the private fields of a `Decimal`. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const unused = { units: 0n, count: 0 };
const breaches = (limits: SpendLimits, spent: { units: bigint; count: number }, cost = price) =>
  countedBreaches({ GATEWAY: limits, KEY: {} }, { GATEWAY: spent, KEY: unused }, cost);

describe('a price in units', () => {
  test.each([
    ['-0.0001', 0],
    ['0', 0],
    ['0.0001', 1],
    ['0.00001', 1],
    ['900719925474.0990', 9_007_199_254_740_990],
    ['900719925474.0991', Number.MAX_SAFE_INTEGER],
    ['900719925474.0992', Number.MAX_SAFE_INTEGER],
    ['999999999999', Number.MAX_SAFE_INTEGER],
  ])('of %s is %s, never negative and always exact', (amount, units) => {
    expect(spendUnits(money(amount, 'USD'))).toBe(units);
  });
});

describe('the limit per day', () => {
  const perDay = [money('25', 'USD')];

  test('leaves exactly the units below it, and a negative number when the price never fits', () => {
    expect(unitsLeftBefore({ perDay }, price)).toBe(150_000);
    expect(unitsLeftBefore({ perDay }, money('25', 'USD'))).toBe(0);
    expect(unitsLeftBefore({ perDay }, money('25.0001', 'USD'))).toBe(-1);
    expect(unitsLeftBefore({ perDay }, money('1', 'EUR'))).toBe(-1);
    expect(unitsLeftBefore({ perDay }, null)).toBe(-1);
    expect(unitsLeftBefore({}, price)).toBeNull();
  });

  test('accepts a purchase that reaches it, and refuses one unit more', () => {
    expect(breaches({ perDay }, { units: 149_999n, count: 0 })).toEqual([]);
    expect(breaches({ perDay }, { units: 150_000n, count: 0 })).toEqual([]);
    expect(plain(breaches({ perDay }, { units: 150_001n, count: 0 }))).toEqual([
      {
        ...{ limit: 'PER_DAY', scope: 'GATEWAY' },
        allowed: { amount: '25.0000', currency: 'USD' },
        spent: { amount: '15.0001', currency: 'USD' },
      },
    ]);
  });

  test('refuses a currency without an entry, and an unknown price, before anything was spent', () => {
    const inEuro = countedBreaches(
      { GATEWAY: { perDay }, KEY: {} },
      { GATEWAY: unused, KEY: unused },
      money('1', 'EUR'),
    );
    const unknown = countedBreaches(
      { GATEWAY: { perDay }, KEY: {} },
      { GATEWAY: unused, KEY: unused },
      null,
    );

    expect(plain(inEuro)).toEqual([
      {
        ...{ limit: 'PER_DAY', scope: 'GATEWAY', allowed: null },
        spent: { amount: '0.0000', currency: 'EUR' },
      },
    ]);
    expect(unknown).toEqual([{ limit: 'PER_DAY', scope: 'GATEWAY', allowed: null, spent: null }]);
  });

  test('is absent when only the limit per hour is set', () => {
    expect(breaches({ perHour: 1 }, { units: 10n ** 18n, count: 0 })).toEqual([]);
  });
});

test('the limit per hour accepts its count of purchases and refuses the next', () => {
  expect(breaches({ perHour: 3 }, { units: 0n, count: 2 })).toEqual([]);
  expect(breaches({ perHour: 3 }, { units: 0n, count: 3 })).toEqual([
    { limit: 'PER_HOUR', scope: 'GATEWAY', allowedCount: 3, count: 3 },
  ]);
  expect(breaches({}, { units: 0n, count: Number.MAX_SAFE_INTEGER })).toEqual([]);
});

test('each scope is compared with its own limits and its own purchases', () => {
  const limits = { GATEWAY: { perHour: 5 }, KEY: { perHour: 1, perDay: [money('10', 'USD')] } };

  expect(
    countedBreaches(
      limits,
      { GATEWAY: { units: 1n, count: 4 }, KEY: { units: 1n, count: 1 } },
      price,
    ),
  ).toMatchObject([
    { limit: 'PER_DAY', scope: 'KEY' },
    { limit: 'PER_HOUR', scope: 'KEY' },
  ]);
  expect(
    countedBreaches(limits, { GATEWAY: { units: 1n, count: 5 }, KEY: unused }, price),
  ).toMatchObject([{ limit: 'PER_HOUR', scope: 'GATEWAY' }]);
});

test('the entry of a currency is found by its code alone', () => {
  const entries = [money('1', 'EUR'), money('2', 'USD')];

  expect(inCurrency(entries, price)).toBe(entries[1]);
  expect(inCurrency(entries, money('1', 'GBP'))).toBeNull();
  expect(inCurrency(entries, null)).toBeNull();
});

describe('two sets of limits together', () => {
  const all = {
    perCall: [money('5', 'USD'), money('7', 'EUR')],
    perDay: [money('50', 'USD')],
    perHour: 4,
    tlds: ['com', 'net'],
    longestPeriod: 3,
  };

  test('have the stricter member of both', () => {
    const other = {
      perCall: [money('6', 'USD'), money('7', 'TRY')],
      perDay: [money('49', 'USD')],
      perHour: 3,
      tlds: ['net', 'org'],
      longestPeriod: 5,
    };
    const both = {
      perCall: [money('5', 'USD')],
      perDay: [money('49', 'USD')],
      perHour: 3,
      tlds: ['net'],
      longestPeriod: 3,
    };

    expect(plain(intersectLimits(all, other))).toEqual(plain(both));
    expect(plain(intersectLimits(other, all))).toEqual(plain(both));
  });

  test('have a member that only one of them has, and no other', () => {
    expect(plain(intersectLimits(all, {}))).toEqual(plain(all));
    expect(plain(intersectLimits({}, all))).toEqual(plain(all));
    expect(intersectLimits({}, {})).toEqual({});
  });
});

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
