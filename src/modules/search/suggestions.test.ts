import { expect, test } from 'vitest';
import { otherLabels } from './suggestions.ts';

const affixed = (label: string) =>
  [...['get', 'hq', 'my', 'app', 'the', 'online', 'go', 'shop', 'try', 'hub']].map((word, at) =>
    at % 2 === 0 ? `${word}-${label}` : `${label}-${word}`,
  );

test.each([
  ['maple', []],
  ['maple-harbor', ['mapleharbor']],
  ['maple-har-bor', ['mapleharbor']],
  ['maple24', ['maple-24']],
  ['24maple7', ['24-maple-7']],
  ['mapleshop', ['maple-shop']],
  ['mapleonline', ['maple-online']],
  ['abcshop', ['abc-shop']],
  ['shopmaple', []],
  // Short words are often a part of another one.
  ...['goldenbakery', 'getaway', 'theatre', 'mystic', 'github'].map((one): [string, string[]] => [
    one,
    [],
  ]),
])('%s has its parts split or joined, then with words before and after it', (label, parts) => {
  expect(otherLabels(label)).toEqual([...parts, ...affixed(label)]);
});

test.each(['abshop'])('no word is split off %s, because too little is left', (label) => {
  expect(otherLabels(label)).toEqual(affixed(label));
});

test('a label in another script has its words in Unicode', () => {
  expect(otherLabels('xn--bcher-kva')[0]).toBe('xn--get-bcher-u9a');
  expect(otherLabels('xn--bcher24-n2a')[0]).toBe('xn--bcher-24-65a');
});

test('a lookalike has no similar labels', () => {
  expect(otherLabels('xn--80a1aj')).toEqual([]);
});

test('no suggestion is longer than 63 characters', () => {
  const label = 'a'.repeat(60);

  expect(otherLabels(label)).toEqual([`${label}-hq`, `my-${label}`, `go-${label}`]);
  expect(otherLabels('a'.repeat(63))).toEqual([]);
});
