import { expect, test } from 'vitest';
import { money } from '../../kernel/money.ts';
import { durationMs, payableUnits, unitsOf } from './payment.ts';

const minuteMs = 60_000;

test.each<[string, string, bigint]>([
  ['12.3449', 'USD', 123_400n],
  ['12.3450', 'USD', 123_500n],
  ['12.34499999', 'USD', 123_400n],
  ['12.34500001', 'USD', 123_500n],
  ['12.33999999', 'USD', 123_400n],
  ['0.0049', 'USD', 0n],
  ['1500.4999', 'JPY', 15_000_000n],
  ['1500.5', 'JPY', 15_010_000n],
  ['1.2345', 'KWD', 12_350n],
  ['1.2345', 'CLF', 12_345n],
])('the price %s %s is paid as %s ten-thousandths', (amount, currency, units) => {
  expect(payableUnits(money(amount, currency))).toBe(units);
});

test.each<[string, string, bigint | null]>([
  ['12.34', 'USD', 123_400n],
  ['12.3400', 'USD', 123_400n],
  ['12.345', 'USD', null],
  ['12.34000001', 'USD', null],
  ['0', 'USD', null],
  ['-5', 'USD', null],
  ['1500', 'JPY', 15_000_000n],
  ['1500.5', 'JPY', null],
  ['999999999999999999', 'USD', null],
])('the amount %s %s has %s ten-thousandths', (amount, currency, units) => {
  expect(unitsOf(money(amount, currency))).toBe(units);
});

test.each<[string, number | null]>([
  ['PT5M', 5],
  ['PT300S', 5],
  ['PT1H30M', 90],
  ['P1D', 1_440],
  ['P3D', 4_320],
  ['PT72H', 4_320],
  ['PT4M59S', null],
  ['PT72H1S', null],
  ['P4D', null],
  ['PT', null],
  ['P1DT1H', null],
  ['1 hour', null],
  ['PT1.5H', null],
  ['-PT1H', null],
  ['', null],
])('%s is %s minutes', (text, minutes) => {
  expect(durationMs(text)).toBe(minutes === null ? null : minutes * minuteMs);
});
