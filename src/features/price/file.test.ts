import { expect, test } from 'vitest';
import { RuleFileError } from '../../config/rule-file.ts';
import { parsePrices, readPrices } from './file.ts';

const errorOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof RuleFileError) return error.message;
    throw error;
  }
  return 'accepted';
};
const rule = (members: object) => ({ rules: [members] });
const rate = (members: object) => ({
  rules: [],
  rates: [{ from: 'USD', to: 'EUR', rate: '0.9', asOf: '2026-11-01', ...members }],
});

test.each([
  [rule({ margin: 10 }), 'accepted'],
  [rule({ fixed: { amount: '0', currency: 'usd' } }), 'accepted'],
  [rate({}), 'accepted'],
  [rate({ asOf: '2026-11-01T10:00:00Z' }), 'accepted'],
  [{ rules: [], maxRateAge: '36h' }, 'accepted'],
  [[], 'it is one object with "rules" and, for several currencies, "rates"'],
  [rule({}), '"rules".[0] is an object with "margin", "plus" or "fixed"'],
  [
    rule({ margin: 10, color: 1 }),
    '"rules".[0] is an object with the members of a rule, and nothing else, not "color"',
  ],
  [rule({ margin: -100 }), '"rules".[0]."margin" is a number of per cent above -100'],
  [rule({ margin: 'much' }), '"rules".[0]."margin" is a number of per cent above -100'],
  [rule({ margin: 1, tlds: ['co m'] }), '"rules".[0]."tlds".[0] is "*" or a TLD, such as "com"'],
  [rule({ margin: 1, periods: [1.5] }), '"rules".[0]."periods".[0] is a whole number of years'],
  [
    rule({ margin: 1, rounding: 'x99' }),
    '"rules".[0]."rounding" is an ending such as "x.99", or a step such as "0.05"',
  ],
  [
    rule({ margin: 1, rounding: '0' }),
    '"rules".[0]."rounding" is an ending such as "x.99", or a step such as "0.05"',
  ],
  [
    rule({ margin: 1, currency: 'dollars' }),
    '"rules".[0]."currency" is three letters of a currency, such as "USD"',
  ],
  [
    rule({ plus: { amount: '1', currency: 'USD' }, currency: 'EUR' }),
    '"rules".[0] is an object whose amounts are in its "currency"',
  ],
  [
    rule({ margin: 1, fixed: { amount: '1', currency: 'USD' } }),
    '"rules".[0] is an object without "margin" and "plus", because it has "fixed"',
  ],
  ...[
    { fixed: { amount: '1000.5', currency: 'JPY' } },
    { margin: 1, currency: 'KRW', rounding: '0.5' },
    { plus: { amount: '10', currency: 'JPY' }, rounding: 'x.99' },
  ].map((members): [object, string] => [
    rule(members),
    '"rules".[0] is an object whose "fixed" and "rounding" are whole numbers, because its currency has no fractions',
  ]),
  [rule({ fixed: { amount: '1000.00', currency: 'JPY' }, rounding: '5' }), 'accepted'],
  [rate({ rate: '0' }), '"rates".[0]."rate" is a decimal number above 0'],
  [rate({ to: 'USD' }), '"rates".[0] is a rate between two currencies'],
  [rate({ asOf: 'today' }), '"rates".[0]."asOf" is a date, such as "2026-11-01", or a time in UTC'],
  [
    { rules: [], rates: [...rate({}).rates, ...rate({}).rates] },
    'it is an object with one rate for each pair of currencies',
  ],
  [
    { rules: [], maxRateAge: '7' },
    '"maxRateAge" is a number of minutes, hours or days, such as "7d"',
  ],
  [
    { rules: Array.from({ length: 10_001 }, () => ({ margin: 1 })) },
    '"rules" is at most 10000 rules',
  ],
])('the file %j: %s', (file, expected) => {
  const text = JSON.stringify(file);

  const message = errorOf(() => parsePrices(text));
  expect(message).toBe(
    expected === 'accepted' ? expected : `The price file must be corrected: ${expected}.`,
  );
});

test.each([
  ['{"rules":[{"margin":"30","margin":"3"}]}', 'a second "margin" in "rules".[0]'],
  ['{"rules":[],"rules":[{"margin":"3"}]}', 'a second "rules"'],
])('a file with a member that occurs twice is refused: %s', (text, second) => {
  expect(errorOf(() => parsePrices(text))).toBe(
    `The price file has ${second}; remove one of the two.`,
  );
});

test('a file that is cut, or does not exist, is refused in one sentence', () => {
  expect(errorOf(() => parsePrices('{"rules": ['))).toBe(
    'The price file is no JSON; correct its syntax.',
  );
  expect(errorOf(() => readPrices({ file: '/nowhere/prices.json' }))).toMatch(
    /^The price file "\/nowhere\/prices\.json" cannot be read: .+\.$/,
  );
});

test.each([
  ['2026-11-30', 'accepted'],
  ['2026-11-30T08:00:00Z', 'accepted'],
  [
    '2026-11-30T08:00:01Z',
    'The price file must be corrected: "rates".[0]."asOf" is more than a day in the future; write the day of the rate.',
  ],
  [
    '2027-11-29',
    'The price file must be corrected: "rates".[0]."asOf" is more than a day in the future; write the day of the rate.',
  ],
])('on 29 November 2026 a rate as of %s: %s', (asOf, expected) => {
  const text = JSON.stringify(rate({ asOf }));

  expect(errorOf(() => parsePrices(text, new Date('2026-11-29T08:00:00Z')))).toBe(expected);
});

test('rates may form a cycle, because none is computed from others', () => {
  const rates = [
    { from: 'USD', to: 'EUR', rate: '0.9', asOf: '2026-11-01' },
    { from: 'EUR', to: 'USD', rate: '1.2', asOf: '2026-11-01' },
  ];

  expect(parsePrices(JSON.stringify({ rules: [], rates })).rates).toHaveLength(2);
});
