import { describe, expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { Decimal, formatMoney, type Money } from '../../kernel/money.ts';
import { offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import { availabilityOf } from '../availability/check.ts';
import {
  fits,
  isSelective,
  maxNames,
  maxResults,
  type Search,
  type SearchFilter,
} from './arguments.ts';
import { toResult } from './result.ts';

const money = (amount: string, currency = 'USD'): Money => ({
  amount: Decimal.parse(amount),
  currency,
});

const name = parseDomainName('maple.com');
const candidate = { name, named: false, suggested: false, refusal: null };

/** The result for an offer of 10 USD, unless the test says otherwise, under a TLD whose renewal is 12 EUR. */
const resultOf = (
  changes: object | Fault = {},
  tld = tldWith('com', { price: '9', renewal: '12', renewalCurrency: 'EUR' }) as ReturnType<
    typeof tldWith
  > | null,
) => {
  const offer = { Status: 'available', Price: '10', Currency: 'USD', Period: 1, IsFee: false };
  const offers = changes instanceof Fault ? changes : offersReply([{ ...offer, ...changes }]);
  return toResult({ ...candidate, tld }, 7, availabilityOf(name, offers), plainQuotes);
};
const free = resultOf();
const premium = resultOf({ IsFee: true });
const taken = resultOf({ Status: 'notavailable' });
const failed = resultOf(new Fault('UPSTREAM_UNAVAILABLE'));
const unclear = resultOf({ IsFee: 'maybe' });
const unpriced = resultOf({ Price: null });

describe('a result', () => {
  const shown = ({ quote, renewalPrice, totals }: typeof free) => [
    quote.highest && formatMoney(quote.highest),
    renewalPrice && formatMoney(renewalPrice),
    totals.map(({ period, highest }) => [period, highest && formatMoney(highest)]),
  ];
  const unknown = [
    [1, null],
    [3, null],
    [5, null],
    [10, null],
  ];

  test('has the higher price of its offer and the price list, and no sum of two currencies', () => {
    expect(shown(free)).toEqual([
      '10.0000 USD',
      '12.0000 EUR',
      [[1, '10.0000 USD'], ...unknown.slice(1)],
    ]);
    expect(free).toMatchObject({ position: 7, suggested: false });
  });

  test('has a total of the shortest period that can be bought', () => {
    const fromTwo = resultOf({ Price: null }, tldWith('com', { price: '9', minperiod: 2 }));

    expect(fromTwo.totals.map(({ period, certainty }) => `${period} ${certainty}`)).toEqual([
      ...['1 NOT_SOLD', '2 ESTIMATED', '3 ESTIMATED', '5 ESTIMATED', '10 ESTIMATED'],
    ]);
    expect(fromTwo.quote).toBe(fromTwo.totals[1]);
  });

  test.each<[string, typeof free, string | null]>([
    ['taken', taken, '12.0000 EUR'],
    ['not checked', failed, null],
    ['under a TLD that is not sold', resultOf({ Status: 'notavailable' }, null), null],
  ])('has no price for a name that is %s', (_what, result, renewal) => {
    expect(shown(result)).toEqual([null, renewal, unknown]);
  });

  test('has no renewal price for a name that is premium, or may be', () => {
    expect([premium, unclear].map(({ renewalPrice }) => renewalPrice)).toEqual([null, null]);
  });
});

describe('the filter', () => {
  const all = { free, premium, taken, failed, unclear, unpriced };

  test.each<[SearchFilter, readonly (keyof typeof all)[]]>([
    [{}, ['free', 'premium', 'taken', 'failed', 'unclear', 'unpriced']],
    [{ available: true }, ['free', 'premium', 'unpriced']],
    [{ available: false }, ['taken', 'failed', 'unclear']],
    [
      { available: null, premium: null },
      ['free', 'premium', 'taken', 'failed', 'unclear', 'unpriced'],
    ],
    [{ premium: true }, ['premium', 'failed', 'unclear']],
    [{ premium: false }, ['free', 'taken', 'failed', 'unclear', 'unpriced']],
    [{ maxPrice: money('10') }, ['free', 'premium', 'taken', 'failed', 'unclear', 'unpriced']],
    [{ maxPrice: money('9.9999') }, ['taken', 'failed', 'unclear', 'unpriced']],
    [{ maxPrice: money('10', 'EUR') }, ['taken', 'failed', 'unclear']],
    [{ maxRenewalPrice: money('12', 'EUR') }, ['free', 'taken', 'failed', 'unclear', 'unpriced']],
    [{ maxRenewalPrice: money('12') }, ['taken', 'failed', 'unclear']],
    [{ maxRenewalPrice: money('11.9999', 'EUR') }, ['taken', 'failed', 'unclear']],
  ])('%j keeps the results that meet it', (filter, expected) => {
    const fitting = Object.entries(all).filter(([, result]) => fits(result, filter));

    expect(fitting.map(([what]) => what)).toEqual(expected);
  });
});

describe('a result of a search may be left out', () => {
  test.each<[string, SearchFilter | null, boolean]>([
    ['maple', null, false],
    ['maple', {}, false],
    ['maple', { available: true }, true],
    ['maple', { available: false }, true],
    ['maple', { premium: false }, true],
    ['maple', { maxPrice: money('1') }, true],
    ['maple', { maxRenewalPrice: money('1') }, true],
    ['maple', { available: null, premium: null, maxPrice: null, maxRenewalPrice: null }, false],
    // With the flags "iu", \P{ASCII} would match K and S, whose case variants are not ASCII.
    ['Kiosks', null, false],
    ['bücher', null, true],
    ['XN--bcher-kva', null, true],
  ])('for %j with %j: %j', (label, filter, isExpected) => {
    expect(isSelective({ labels: ['oak', label], filter })).toBe(isExpected);
  });
});

describe('a search', () => {
  test.each<[string, Omit<Search, 'labels'>, number, number, labels?: readonly string[]]>([
    ['has 100 results without TLDs', {}, 100, 100],
    ['has all its TLDs', { tlds: ['com', 'net'] }, 1_000, 2],
    ['has the TLD of a whole name too', { tlds: ['com'] }, 1_000, 2, ['maple.net']],
    ['has as many as requested', { first: 5 }, 5, 5],
    ['has as many of its TLDs as requested', { tlds: ['com', 'net', 'org'], first: 2 }, 2, 2],
    ['checks every TLD to find one', { first: 1, filter: { available: true } }, 1, 1_000],
    [
      'checks all its TLDs to find one',
      { tlds: ['com', 'net'], first: 1, filter: { premium: true } },
      ...([1, 2] as const),
    ],
    ['checks suggestions too', { tlds: ['com'], suggestions: 7 }, 1_000, 8],
    ['has no result of zero', { first: 0 }, 0, 0],
    ['has each TLD of each label', { tlds: ['com', 'net'] }, 1_000, 7, ['a', 'b', 'c.de']],
    [
      'of several labels checks 1000 names without TLDs, and the whole names',
      { filter: { available: true } },
      ...([100, 1_001] as const),
      ['a', 'b.de'],
    ],
  ])('%s', (_what, size, results, names, labels = ['maple']) => {
    const search = { labels, ...size };

    expect([maxResults(search), maxNames(search)]).toEqual([results, names]);
  });
});
