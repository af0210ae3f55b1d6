import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, money, type PricedItem } from '../../kernel/money.ts';
import { parsePrices } from './file.ts';
import { createPriceList } from './list.ts';

const now = new Date('2026-11-25T00:00:00Z');
const item = (changes: Partial<PricedItem> = {}): PricedItem => ({
  tld: 'com',
  operation: 'REGISTRATION',
  period: 1,
  premium: false,
  ...changes,
});
const listOf = (file: object) => createPriceList(parsePrices(JSON.stringify(file)));
const usd = (amount: string) => ({ amount, currency: 'USD' });

/** The price of a cost in dollars, or why there is none. */
function priceBy(file: object, cost: string, changes: Partial<PricedItem> = {}) {
  const found = listOf(file).retail(item(changes), money(cost, 'USD'), now);
  return typeof found === 'string' ? found : formatMoney(found.price);
}

test.each([
  [{ margin: '30' }, '10', '13.0000 USD'],
  [{ margin: 30, plus: usd('1') }, '10', '14.0000 USD'],
  [{ plus: usd('2.5') }, '10.0049', '12.5000 USD'],
  [{ margin: '10' }, '10.05', '11.0600 USD'],
  [{ margin: '10', rounding: 'x.99' }, '10', '11.9900 USD'],
  [{ margin: '0', rounding: 'x.99' }, '10.99', '10.9900 USD'],
  [{ margin: '0', rounding: 'x.99' }, '10.9901', '11.9900 USD'],
  [{ margin: '0', rounding: 'x.00' }, '0.01', '1.0000 USD'],
  [{ margin: '0', rounding: 'x.99' }, '0.5', '0.9900 USD'],
  [{ margin: '1', rounding: '0.05' }, '10', '10.1000 USD'],
  [{ margin: '7', rounding: '0.05' }, '10', '10.7000 USD'],
  [{ margin: '10', rounding: '1' }, '12.28', '14.0000 USD'],
  [{ fixed: usd('12.99') }, '12.99', '12.9900 USD'],
  [{ fixed: usd('12.99') }, '13', 'BELOW_COST'],
  [{ fixed: usd('12.99'), belowCost: true }, '13', '12.9900 USD'],
  [{ margin: '-5' }, '10', 'BELOW_COST'],
  [{ margin: '0', rounding: '1' }, '10.4', 'BELOW_COST'],
  [{ margin: '25' }, '0', '0.0000 USD'],
  [{ plus: usd('-20'), belowCost: true }, '10', 'BELOW_COST'],
  [{ plus: usd('-20'), belowCost: true }, '20', '0.0000 USD'],
  [{ margin: '900' }, '999999999999999999', 'TOO_LONG'],
])('by the rule %j the cost %s is the price %s', (rule, cost, price) => {
  expect(priceBy({ rules: [rule] }, cost)).toBe(price);
});

test.each([
  [{ tlds: ['net'] }, {}, false],
  [{ tlds: ['.COM'] }, {}, true],
  [{ tlds: ['net', '*'] }, {}, true],
  [{ operations: ['RENEWAL'] }, {}, false],
  [{ operations: ['RENEWAL', 'REGISTRATION'] }, {}, true],
  [{ periods: [1, 2] }, {}, true],
  [{ periods: [2] }, {}, false],
  [{ premium: true }, {}, false],
  [{ premium: true }, { premium: true }, true],
  [{ premium: false }, { premium: null }, false],
  [{ premium: true }, { premium: null }, false],
  [{}, { premium: null }, true],
])('a rule with %j for an item with %j matches: %j', (conditions, changes, matches) => {
  const rules = [{ ...conditions, margin: '50' }, { margin: '10' }];

  expect(priceBy({ rules }, '10', changes)).toBe(matches ? '15.0000 USD' : '11.0000 USD');
});

test('without a rule there is no price', () => {
  expect(priceBy({ rules: [] }, '10')).toBe('NO_RULE');
});

test('a price in another currency uses the rate of the file while it is recent', () => {
  const file = {
    rules: [{ margin: '10', currency: 'eur' }],
    rates: [{ from: 'USD', to: 'EUR', rate: '0.9', asOf: '2026-11-18' }],
  };
  const list = listOf(file);
  const at = (time: string, currency = 'USD') =>
    list.retail(item(), money('10', currency), new Date(time));

  expect(at('2026-11-25T00:00:00Z')).toMatchObject({
    price: money('9.9', 'EUR'),
    rule: 1,
    rate: { from: 'USD', to: 'EUR', asOf: '2026-11-18T00:00:00.000Z' },
  });
  expect(at('2026-11-25T00:00:01Z')).toBe('OLD_RATE');
  expect(at('2026-11-25T00:00:01Z', 'EUR')).toMatchObject({ price: money('11', 'EUR') });
  expect(at('2026-11-25T00:00:00Z', 'TRY')).toBe('NO_RATE');
  expect(list.rateEnds).toEqual([Date.parse('2026-11-25T00:00:00Z')]);
});

const decimals = fc.integer({ min: 0, max: 5_000_000 }).map((units) => String(units / 10_000));
const rates = fc.integer({ min: 1, max: 500_000 }).map((units) => String(units / 10_000));
const rule = fc.record(
  {
    tlds: fc.subarray(['com', 'net', '*'], { minLength: 1 }),
    operations: fc.subarray(['REGISTRATION', 'RENEWAL'] as const, { minLength: 1 }),
    periods: fc.subarray([1, 2, 3], { minLength: 1 }),
    premium: fc.boolean(),
    margin: fc.integer({ min: -99, max: 300 }).map(String),
    plus: fc.record({ amount: decimals, currency: fc.constant('EUR') }),
    rounding: fc.constantFrom('x.99', 'x.00', '0.05', '1', '0.01', '0.03'),
  },
  { requiredKeys: ['margin'] },
);

test.each([
  ['JPY', '149.37', '1942.0000 JPY'],
  ['KRW', '1389.47', '18063.0000 KRW'],
  ['KWD', '0.30712', '3.9930 KWD'],
  ['CLF', '0.02612', '0.3396 CLF'],
  ['EUR', '0.86317', '11.2200 EUR'],
])(
  'a price in %s at the rate %s has as many decimal places as its currency: %s',
  (to, rate, price) => {
    const rates = [{ from: 'USD', to, rate, asOf: '2026-11-24' }];

    expect(priceBy({ rules: [{ margin: '30', currency: to }], rates }, '10')).toBe(price);
  },
);

test('a rounding of its own may have other decimal places than the currency', () => {
  const rules = [{ margin: '30', currency: 'EUR', rounding: '0.005' }];
  const rates = [{ from: 'USD', to: 'EUR', rate: '0.86317', asOf: '2026-11-24' }];

  expect(priceBy({ rules, rates }, '10')).toBe('11.2200 EUR');
  expect(priceBy({ rules, rates }, '9.985')).toBe('11.2050 EUR');
});

test('nothing is sold below cost, whatever the rules, the rate, the period and the premium', () => {
  const items = fc.record({
    tld: fc.constantFrom('com', 'net', 'org'),
    operation: fc.constantFrom('REGISTRATION' as const, 'RENEWAL' as const),
    period: fc.constantFrom(1, 2, 3),
    premium: fc.constantFrom(true, false, null),
  });
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 5 }),
      rates,
      items,
      decimals,
      (rules, rate, one, cost) => {
        const list = listOf({
          rules: rules.map((each) => ({ ...each, currency: 'EUR' })),
          rates: [{ from: 'USD', to: 'EUR', rate, asOf: '2026-11-24' }],
        });
        const found = list.retail(one, money(cost, 'USD'), now);
        if (typeof found === 'string') return;
        const least = money(cost, 'USD').amount.times(money(rate, 'EUR').amount);
        expect(found.price.amount.compare(least)).toBeGreaterThanOrEqual(0);
        expect(found.price.currency).toBe('EUR');
        // The same again, from the cache.
        expect(list.retail(one, money(cost, 'USD'), now)).toEqual(found);
      },
    ),
  );
});

test('items that differ in one member have rules of their own in one list', () => {
  const list = listOf({
    rules: [
      { tlds: ['net'], margin: '10' },
      { operations: ['RENEWAL'], margin: '20' },
      { periods: [2], margin: '30' },
      { premium: true, margin: '40' },
      { premium: false, margin: '50' },
    ],
  });
  const prices = [
    ...[{}, { tld: 'net' }, { operation: 'RENEWAL' as const }, { period: 2 }],
    ...[{ premium: true }, { premium: null }, {}],
  ].map((changes) => list.retail(item(changes), money('10', 'USD'), now));

  expect(prices.map((one) => (typeof one === 'string' ? one : formatMoney(one.price)))).toEqual([
    ...['15.0000 USD', '11.0000 USD', '12.0000 USD', '13.0000 USD', '14.0000 USD'],
    ...['NO_RULE', '15.0000 USD'],
  ]);
});
