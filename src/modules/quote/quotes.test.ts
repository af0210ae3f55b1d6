import { expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { priceListBy } from '../../../test/support/retail-list.ts';
import { formatMoney, money } from '../../kernel/money.ts';
import type { PriceList } from '../../scope/hooks.ts';
import { createQuotes } from './quotes.ts';

const quotesBy = (list: PriceList) => createQuotes(() => list, { now: () => new Date(0) });

test('the first price of a TLD is that of the rule for its shortest period', () => {
  const quotes = quotesBy(priceListBy(({ period }) => (period === 1 ? '2' : '1.5')));
  const tld = tldWith('com', { minperiod: 2 });
  const listed = { ...tld, prices: tld.prices.map((row) => ({ ...row, period: 2 })) };

  const first = quotes.firstPrice(listed);

  expect(first && formatMoney(first)).toBe('15.0000 USD');
});

test('an estimated cost with one price is a listed price, and with two an estimate', () => {
  const tld = tldWith('com', { renewal: '12' });
  const certainty = (list: PriceList) => quotesBy(list).ofTld(tld, 'REGISTRATION', 2).certainty;
  const fixed = { price: money('99', 'USD'), rule: 1, rate: null };

  expect(certainty({ isEmpty: false, retail: () => fixed })).toBe('LISTED');
  expect(certainty(priceListBy())).toBe('ESTIMATED');
});
