import { describe, expect, test } from 'vitest';
import { findJsonFlaw } from '../../../../src/server/graphql/limits/json-flaw.ts';

const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(',');
const keys = (count: number) => `{${many(count, (at) => `"k${at}":1`)}}`;
const excess = (most: number, what: string) =>
  `The JSON of a request may have at most ${most} ${what}; this one has more.`;

test.each<[string, (count: number) => string, number, string]>([
  [
    'lists',
    (depth) => '['.repeat(depth) + ']'.repeat(depth),
    20,
    'objects and lists inside one another',
  ],
  [
    'objects',
    (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    20,
    'objects and lists inside one another',
  ],
  ['keys', keys, 5_000, 'keys'],
  [
    'keys of several objects',
    (count) => `[${keys(2_500)},{"a":[${keys(count - 2_502)}],"b":1}]`,
    5_000,
    'keys',
  ],
  ['items', (count) => `[${many(count, String)}]`, 10_000, 'items of one list'],
  [
    'items after lists',
    (count) => `[[1,2],${many(count - 2, String)},{"a":1,"b":2}]`,
    10_000,
    'items of one list',
  ],
  [
    'items in an object',
    (count) => `{"b":1,"a":[${many(count, String)}],"c":1}`,
    10_000,
    'items of one list',
  ],
])('a text may have as many %s as the limit, and not one more', (_what, make, most, what) => {
  expect(findJsonFlaw(make(most))).toBeNull();
  expect(findJsonFlaw(make(most + 1))).toBe(excess(most, what));
});

test('commas in strings and in objects are no items, and strings in lists are no keys', () => {
  expect(findJsonFlaw(`["${','.repeat(3_000)}"]`)).toBeNull();
  expect(findJsonFlaw(keys(3_000))).toBeNull();
  expect(findJsonFlaw(`[${many(1_999, () => '"a"')}]`)).toBeNull();
});

describe('a duplicate key is refused', () => {
  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"b":{"c":1},"a":2}',
    '{"a":[{"b":1}],"a":2}',
    '[{"x":{"a":1,"a":1}}]',
    '{"a":1,"\\u0061":2}',
    '{"a" : 1, "a"\n\t\r :2}',
    '{"a\\"b":1,"a\\u0022b":2}',
    '{"a:":1,"a:":2}',
  ])('%s', (text) => {
    expect(findJsonFlaw(text)).toMatch(/^The key ".*" occurs twice in one object\.$/);
  });

  test('with up to forty characters of it', () => {
    const key = 'x'.repeat(41);

    expect(findJsonFlaw(`{"${key}":1,"${key}":2}`)).toBe(
      `The key "${'x'.repeat(40)}" occurs twice in one object.`,
    );
  });

  test.each([
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"a":"x\\":","x":1}',
    '{"a":1,"A":2,"a ":3}',
  ])('and not the same text elsewhere: %s', (text) => {
    expect(findJsonFlaw(text)).toBeNull();
  });
});

describe('a reserved key is refused', () => {
  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'prototype', 'then', 'toJSON'])(
    '%s',
    (key) => {
      const code = key.charCodeAt(0).toString(16).padStart(4, '0');

      for (const text of [
        `{"${key}":1}`,
        `{"a":[{"${key}" :1}]}`,
        `{"\\u${code}${key.slice(1)}":1}`,
      ]) {
        expect(findJsonFlaw(text)).toBe(`"${key}" is a reserved name; choose another one.`);
      }
      expect(findJsonFlaw(`{"a":"${key}","b":["${key}"]}`)).toBeNull();
    },
  );
});

test.each([
  '',
  '{',
  '}',
  ']',
  ',',
  '"',
  '{"a',
  '{"a"',
  '1,2',
  '{"\\q":1}',
  '{"\\q":1,"\\z":2}',
  '{"a":1}},"a":1',
  'nonsense',
])('JSON that is invalid is left to the parser: %s', (text) => {
  expect(findJsonFlaw(text)).toBeNull();
});
