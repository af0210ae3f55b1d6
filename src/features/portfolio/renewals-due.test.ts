import { expect, test } from 'vitest';
import { readBalances } from '../../../test/support/modules/event-rows.ts';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import { nextStepOf, type Portfolio } from './portfolio.ts';
import { areCovered, coveredDays, isCovered, undecidedReason } from './renewals-due.ts';

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

/** One renewal of 1 USD every ten days, the first on day 10; of day 50 no price is known. */
const dueWithin = async (days: number) => {
  const count = Math.floor(days / 10);
  const unpriced = Number(days >= 50);
  const totals = count > 0 ? [usd(String(count - unpriced))] : [];
  return { count, unpriced, totals, isExact: unpriced === 0 };
};

test.each([
  ['0', 9, true],
  ['1', 19, true],
  ['3.99', 39, true],
  // Whether the renewal without a price is covered is not known.
  ['4', 59, false],
  ['5', 69, false],
])(
  'a balance of %s covers the renewals of %i days, for certain: %j',
  async (balance, days, isDecided) => {
    const balances = readBalances(new Map([['USD', balance]]));

    expect(await coveredDays(balances, dueWithin)).toEqual({ days, isDecided });
  },
);

test('the renewals that a balance always covers are covered for ten years, and others not for a day', async () => {
  const balances = readBalances(new Map([['USD', '1']]));
  const dueOf = (amount: string) => async () => ({
    ...{ count: 1, unpriced: 0, totals: [usd(amount)], isExact: true },
  });

  expect(await coveredDays(balances, dueOf('1'))).toEqual({ days: 3_650, isDecided: true });
  expect(await coveredDays(balances, dueOf('2'))).toEqual({ days: 0, isDecided: true });
});

test.each<[string, Partial<Portfolio>, string]>([
  ['0', {}, 'The renewal price of 1 domain is not known.'],
  ['1', {}, 'The balance in USD is not known.'],
  [
    '1',
    { complete: false, upstreamCount: 5, knownCount: 3 },
    'The list of domains is not complete. The gateway does not know 2 domains that the registrar counts: add their names with trackDomains or "npm run domains -- import FILE".',
  ],
  [
    '1',
    { complete: false, upstreamCount: 3, knownCount: 3 },
    "The list of domains is not complete. The gateway reads the domains that the registrar's list leaves out in the background: read the list again later.",
  ],
  [
    '1',
    { complete: false, upstreamCount: new Fault('UPSTREAM_PROTOCOL'), knownCount: 3 },
    'The list of domains is not complete. The registrar does not send how many domains the account has: compare the list with its panel, and add domains that are missing with trackDomains.',
  ],
])('the reason of a decision that cannot be made: %s %j', (priced, coverage, reason) => {
  const due = { count: 1, unpriced: 1 - Number(priced), totals: [usd('1')], isExact: false };
  const list = { complete: true, upstreamCount: 3, knownCount: 3, ...coverage };

  expect(undecidedReason(due, readBalances(new Map()), { nextStep: nextStepOf(list) })).toBe(
    reason,
  );
});
