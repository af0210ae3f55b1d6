import { describe, expect, test } from 'vitest';
import { mergeContexts, named, namesIn, noEntities, pageSize } from './cost.ts';

describe('the counted size of a page', () => {
  test.each([
    [{}, 20],
    [{ first: null, last: null }, 20],
    [{ first: 5 }, 5],
    [{ last: 7 }, 7],
    [{ first: 0 }, 0],
    [{ first: 100 }, 100],
    [{ first: 101 }, 100],
    [{ last: -1 }, 0],
  ])('for %j is %i', (args, size) => {
    expect(pageSize(args)).toBe(size);
  });
});

test('the entities of several fields are counted together', () => {
  const one = { domains: { names: ['a.com'], others: 2 }, contacts: named(['a.com']) };
  const other = { domains: named(['b.com']), purchases: { names: [], others: 3 } };

  expect(mergeContexts([one, noEntities, other])).toEqual({
    domains: { names: ['a.com', 'b.com'], others: 2 },
    contacts: { names: ['a.com'], others: 0 },
    purchases: { names: [], others: 3 },
  });
});

test('a text that is no domain name causes no counted read', () => {
  expect(namesIn(['Bücher.example'])).toEqual(['xn--bcher-kva.example']);
  expect(namesIn(['no name'])).toEqual([]);
});
