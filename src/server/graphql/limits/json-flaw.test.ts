import { expect, test } from 'vitest';
import { findJsonFlaw } from './json-flaw.ts';

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
const items = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each<[string, (count: number) => unknown, number, string]>([
  ['keys', keys, 5_000, 'keys'],
  [
    'keys of several objects',
    (count) => [keys(2_500), { a: [keys(count - 2_502)], b: 1 }],
    5_000,
    'keys',
  ],
  ['items', items, 10_000, 'items of one list'],
  ['items in an object', (count) => ({ b: 1, a: [items(count)] }), 10_000, 'items of one list'],
])('a value may have as many %s as the limit, and not one more', (_what, make, most, what) => {
  expect(findJsonFlaw(make(most))).toBeNull();
  expect(findJsonFlaw(make(most + 1))).toBe(
    `The JSON of a request may have at most ${most} ${what}; this one has more.`,
  );
});

test.each(['__proto__', 'constructor', 'hasOwnProperty', 'prototype', 'then', 'toJSON'])(
  'the key %s is refused at any depth',
  (key) => {
    for (const text of [`{"${key}":1}`, `{"a":[{"${key}":null}]}`, `[[{"b":1},{"${key}":{}}]]`]) {
      expect(findJsonFlaw(JSON.parse(text))).toBe(
        `"${key}" is a reserved name; choose another one.`,
      );
    }
    expect(findJsonFlaw({ a: key, b: [key] })).toBeNull();
  },
);

test.each([null, 1, 'a', true, [], {}, [null], { a: null }])('%j has no flaw', (value) => {
  expect(findJsonFlaw(value)).toBeNull();
});
