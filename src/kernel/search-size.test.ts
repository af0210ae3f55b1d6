import { describe, expect, test } from 'vitest';
import { isSelective, maxNames, maxResults, type ResultFilter } from './search-size.ts';

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
    ['maple', { first: 5, suggestions: 5 }, false],
    // With the flags "iu", \P{ASCII} would match K and S, whose case variants are not ASCII.
    ['Kiosks', null, false],
    ['bücher', null, true],
    ['XN--bcher-kva', null, true],
  ])('for %j with %j: %j', (label, filter, isExpected) => {
    expect(isSelective({ label, filter })).toBe(isExpected);
  });
});

describe('a search', () => {
  test.each([
    ['has 100 results without TLDs', undefined, undefined, 100, 100],
    ['has all its TLDs', ['com', 'net'], undefined, 1_000, 3],
    ['has as many as requested', undefined, { first: 5 }, 5, 5],
    ['has as many of its TLDs as requested', ['com', 'net', 'org'], { first: 2 }, 2, 2],
    ['checks every TLD to find one result', undefined, { first: 1, available: true }, 1, 1_000],
    ['checks all its TLDs to find one', ['com', 'net'], { first: 1, premium: true }, 1, 3],
    ['checks suggestions too', ['com'], { suggestions: 7 }, 1_000, 9],
    ['has no result of zero', undefined, { first: 0 }, 0, 0],
  ])('%s', (_what, tlds, filter, results, names) => {
    const search = { label: 'maple', tlds, filter };

    expect([maxResults(search), maxNames(search)]).toEqual([results, names]);
  });
});
