import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../kernel/faults.ts';
import { withinLimit } from './arguments.ts';
import { type PageArgs, paginate, readCursor, readPage, readSpan } from './connection.ts';

const cursor = (...parts: readonly unknown[]) =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');
const refusalOf = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [error.code, ...error.inputPath];
  }
};
const letters = [...'abcdefg'];
/** A page of shuffled letters. */
const page = (args: PageArgs) => {
  const { edges, ...more } = paginate([...'dafcgbe'], readPage(args), (one) => one);
  return { text: edges.map(({ node }) => node).join(''), ...more };
};

describe('a page', () => {
  test.each<[PageArgs, string, boolean, boolean]>([
    [{}, 'abcdefg', false, false],
    [{ first: 3 }, 'abc', false, true],
    [{ last: 3 }, 'efg', true, false],
    [{ first: 7 }, 'abcdefg', false, false],
    [{ last: 7 }, 'abcdefg', false, false],
    [{ first: 8 }, 'abcdefg', false, false],
    [{ last: 8 }, 'abcdefg', false, false],
    [{ first: 0 }, '', false, true],
    [{ last: 0 }, '', true, false],
    [{ first: 2, after: cursor('c') }, 'de', true, true],
    [{ first: 4, after: cursor('c') }, 'defg', true, false],
    [{ last: 2, before: cursor('c') }, 'ab', false, true],
    [{ last: 1, before: cursor('c') }, 'b', true, true],
    [{ after: cursor('b'), before: cursor('e') }, 'cd', true, true],
    [{ after: cursor('e'), before: cursor('b') }, '', true, true],
    [{ after: cursor('cc') }, 'defg', true, false],
    [{ before: cursor('cc') }, 'abc', false, true],
    [{ after: cursor('') }, 'abcdefg', false, false],
    [{ after: null, before: null, first: null, last: null }, 'abcdefg', false, false],
  ])('of %j is %j', (args, text, hasPreviousPage, hasNextPage) => {
    expect(page(args)).toEqual({ text, hasPreviousPage, hasNextPage, totalCount: 7 });
  });

  test('has 20 items by default', () => {
    expect(readPage({})).toMatchObject({
      limit: 20,
      fromEnd: false,
      after: undefined,
      before: undefined,
    });
  });

  test('has the sort key of each item as its position', () => {
    const { edges } = paginate(['b', 'a'], readPage({}), (one) => `${one}!`);

    expect(edges).toEqual([
      { node: 'a', position: ['a!'] },
      { node: 'b', position: ['b!'] },
    ]);
  });

  test('by page contains every item once, forwards and backwards', { tags: ['G6'] }, () => {
    const size = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(size, (limit) => {
        let forwards = '';
        let backwards = '';
        for (let args: PageArgs | null = { first: limit }; args; ) {
          const { text, hasNextPage } = page(args);
          forwards += text;
          args = hasNextPage ? { first: limit, after: cursor(text.at(-1)) } : null;
        }
        for (let args: PageArgs | null = { last: limit }; args; ) {
          const { text, hasPreviousPage } = page(args);
          backwards = text + backwards;
          args = hasPreviousPage ? { last: limit, before: cursor(text[0]) } : null;
        }
        expect([forwards, backwards]).toEqual([letters.join(''), letters.join('')]);
      }),
    );
  });
});

describe('the size of a page', () => {
  test.each([0, 1, 100])('may be %i', (size) => {
    expect(readSpan({ first: size })).toEqual({ limit: size, fromEnd: false });
    expect(readSpan({ last: size })).toEqual({ limit: size, fromEnd: true });
  });

  test.each([-1, 101])('must not be %i', (size) => {
    expect(refusalOf(() => readSpan({ first: size }))).toEqual(['INVALID_INPUT', 'first']);
    expect(refusalOf(() => readSpan({ last: size }))).toEqual(['INVALID_INPUT', 'last']);
  });

  test('must not be given from both ends', () => {
    expect(refusalOf(() => readSpan({ first: 1, last: 1 }))).toEqual(['INVALID_INPUT', 'first']);
    expect(readSpan({ first: 1, last: null })).toEqual({ limit: 1, fromEnd: false });
  });

  test('has a bound of the list', () => {
    const ordering = { parts: 1, most: 1_000 };

    expect(readPage({ first: 1_000 }, ordering).limit).toBe(1_000);
    expect(refusalOf(() => readPage({ first: 1_001 }, ordering))).toEqual([
      'INVALID_INPUT',
      'first',
    ]);
  });

  test('has its bounds as facts of the refusal', () => {
    expect(() => readSpan({ first: 101 })).toThrow(
      expect.objectContaining({ facts: { minimum: 0, maximum: 100 } }),
    );
  });
});

describe('a cursor', () => {
  test('has as many texts as the order of the list', () => {
    expect(readCursor('after', cursor('a'), 1)).toEqual(['a']);
    expect(readCursor('after', cursor('NAME', 'a'), 2, 'NAME')).toEqual(['NAME', 'a']);
  });

  test.each([
    ['too few parts', cursor('NAME')],
    ['too many parts', cursor('NAME', 'a', 'b')],
    ['a number', cursor('NAME', 5)],
    ['a text', Buffer.from('"NAME"').toString('base64url')],
    ['an object', Buffer.from('{"length":2}').toString('base64url')],
    ['null', Buffer.from('null').toString('base64url')],
    ['no JSON', 'NAME'],
    ['another order', cursor('EXPIRY', 'a')],
    ['nothing', ''],
  ])('with %s is refused', (_what, text) => {
    expect(refusalOf(() => readCursor('before', text, 2, 'NAME'))).toEqual([
      'INVALID_INPUT',
      'before',
    ]);
    expect(refusalOf(() => readPage({ after: text }, { parts: 2, order: 'NAME' }))).toEqual([
      'INVALID_INPUT',
      'after',
    ]);
  });
});

test('a list argument has at most 100 items, or its own limit', () => {
  const items = (length: number) => Array.from({ length }, (_, at) => at);

  expect(withinLimit('names', items(100))).toHaveLength(100);
  expect(refusalOf(() => withinLimit('names', items(101)))).toEqual(['INVALID_INPUT', 'names']);
  expect(withinLimit('names', items(2), 2)).toHaveLength(2);
  expect(refusalOf(() => withinLimit('names', items(3), 2))).toEqual(['INVALID_INPUT', 'names']);
});
