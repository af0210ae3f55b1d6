import { expect, test } from 'vitest';
import { configOf, errorsOf } from '../../../test/support/own-config.ts';
import { eventSettings } from './settings.ts';

test('thresholds of balances are exact, by ISO currency', () => {
  const balanceLow = (text: string) =>
    JSON.parse(JSON.stringify(eventSettings.of(configOf({ BALANCE_LOW: text })).BALANCE_LOW));

  expect(balanceLow('USD:100, tl:0.5')).toEqual([
    { amount: '100.0000', currency: 'USD' },
    { amount: '0.5000', currency: 'TRY' },
  ]);
  expect(balanceLow('')).toEqual([]);
});

test.each(['USD', 'USD:', '100 USD', 'USD:-1', 'USD:1.00001', 'USD:1:2', 'TL:1,TRY:2', 'USD:1,'])(
  'BALANCE_LOW=%s',
  (text) => {
    expect(errorsOf({ BALANCE_LOW: text })).toEqual([
      `BALANCE_LOW must be amounts such as "USD:100,EUR:50.50" with each currency once; it is "${text}".`,
    ]);
  },
);
