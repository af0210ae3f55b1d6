import { expect, test } from 'vitest';
import { readBalances } from '../../../test/support/modules/event-rows.ts';
import { money } from '../../kernel/money.ts';
import { areCovered, isCovered } from './renewals-due.ts';

const usd = (amount: string) => money(amount, 'USD');
const eur = (amount: string) => money(amount, 'EUR');

test.each([
  [true, '10', true],
  [true, '10.0001', true],
  [true, '9.9999', false],
  [true, null, null],
  [false, '10', null],
  [false, '9.9999', false],
])('with exact totals (%j) a balance of %j covers 10: %j', (isExact, balance, covered) => {
  expect(isCovered({ isExact }, usd('10'), balance === null ? null : usd(balance))).toBe(covered);
});

test.each<[Record<string, string>, boolean, boolean | null]>([
  [{ USD: '10', EUR: '5' }, true, true],
  [{ USD: '10', EUR: '4' }, true, false],
  [{ USD: '10', EUR: '4' }, false, false],
  [{ USD: '10', EUR: 'unreadable' }, true, null],
  [{ USD: '9', EUR: 'unreadable' }, true, false],
  [{ USD: '10' }, true, null],
  [{ USD: '10', EUR: '5' }, false, null],
])('the balances %j cover 10 USD and 5 EUR, exact (%j): %j', (amounts, isExact, covered) => {
  const due = { count: 2, unpriced: 0, totals: [usd('10'), eur('5')], isExact };

  expect(areCovered(due, readBalances(new Map(Object.entries(amounts))))).toBe(covered);
});

test.each([
  [true, true],
  [false, null],
])('without a total nothing has to be covered, when that is exact (%j): %j', (isExact, covered) => {
  const due = { count: 0, unpriced: 0, totals: [], isExact };

  expect(areCovered(due, readBalances(new Map()))).toBe(covered);
});
