import { expect, test } from 'vitest';
import { moneyOf, unitsOf } from '../amounts.js';

test.each([
  ['33.9800', 'USD', 3398],
  ['0.5000', 'EUR', 50],
  ['1500.0000', 'JPY', 1500],
  ['1500', 'KRW', 1500],
  ['7.0000', 'ISK', 700],
  ['7.0000', 'UGX', 700],
  ['5.1200', 'KWD', 5120],
  ['90071992547409.9100', 'USD', 9_007_199_254_740_991],
])('%s %s is %i at Stripe, and back', (amount, currency, units) => {
  expect(unitsOf({ amount, currency })).toBe(units);
  const back = moneyOf(units, currency.toLowerCase());
  expect(back.currency).toBe(currency);
  expect(unitsOf(back)).toBe(units);
  expect(Number(back.amount)).toBe(Number(amount));
});

test.each([
  ['0.001', 'USD'],
  ['1500.5000', 'JPY'],
  ['5.1230', 'KWD'],
  ['0.2000', 'MGA'],
  ['90071992547409.9200', 'USD'],
])('Stripe cannot have %s %s', (amount, currency) => {
  expect(() => unitsOf({ amount, currency })).toThrow(RangeError);
});
