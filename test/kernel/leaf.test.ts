import { expect, test } from 'vitest';
import { Fault } from '../../src/kernel/faults.ts';
import { leafOr, readLeaf } from '../../src/kernel/leaf.ts';

const bad = new Fault('UPSTREAM_PROTOCOL');

test.each([[0], [''], [null], [undefined], [false], [{ amount: 1 }]])(
  'a leaf that holds %j is read as it is, also where a fallback stands ready',
  (value) => {
    expect(readLeaf(value)).toBe(value);
    expect(leafOr<unknown, string>(value, 'fallback')).toBe(value);
  },
);

test('a leaf that holds a fault throws that very fault', () => {
  expect(() => readLeaf(bad)).toThrow(bad);
});

test('a leaf that holds a fault gives the fallback to those who can do without', () => {
  expect(leafOr(bad, null)).toBeNull();
});
