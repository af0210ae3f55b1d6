import { describe, expect, test } from 'vitest';
import { isSelective, maxNames, maxResults, type ResultFilter, type SearchSize } from './size.ts';

const price = { amount: '1', currency: 'USD' };

describe('a result of a search may be left out', () => {
  test.each<[string, ResultFilter | null, boolean]>([
    ['maple', null, false],
    ['maple', {}, false],
    ['maple', { available: true }, true],
    ['maple', { available: false }, true],
    ['maple', { premium: false }, true],
    ['maple', { maxPrice: price }, true],
    ['maple', { maxRenewalPrice: price }, true],
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
  test.each<[string, Omit<SearchSize, 'labels'>, number, number, labels?: readonly string[]]>([
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
