import { expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { parsePrices } from '../../config/price-file.ts';
import { formatMoney } from '../../kernel/money.ts';
import { createPriceList } from '../price/price-list.ts';
import { createQuotes } from './quotes.ts';

/** The quotes of a shop with these rules. */
const quotesBy = (...rules: readonly object[]) => {
  const list = createPriceList(parsePrices(JSON.stringify({ rules })));
  return createQuotes(() => list, { now: () => new Date(0) });
};

test('the first price of a TLD is that of the rule for its shortest period', () => {
  const quotes = quotesBy({ periods: [1], margin: '100' }, { periods: [2], margin: '50' });
  const tld = tldWith('com', { minperiod: 2 });
  const listed = { ...tld, prices: tld.prices.map((row) => ({ ...row, period: 2 })) };

  const first = quotes.firstPrice(listed);

  expect(first && formatMoney(first)).toBe('15.0000 USD');
});

test('an estimated cost with one price is a listed price, and with two an estimate', () => {
  const tld = tldWith('com', { renewal: '12' });
  const certainty = (...rules: readonly object[]) =>
    quotesBy(...rules).ofTld(tld, 'REGISTRATION', 2).certainty;

  expect(certainty({ fixed: { amount: '99', currency: 'USD' } })).toBe('LISTED');
  expect(certainty({ margin: '100' })).toBe('ESTIMATED');
});
