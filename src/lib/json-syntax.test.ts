import { describe, expect, test } from 'vitest';
import { endOfString, isDeeperThan } from './json-syntax.ts';

describe('the depth of a JSON text', () => {
  test.each([
    ['[[1]]', 2, false],
    ['[[[1]]]', 2, true],
    ['{"a":{"b":1}}', 2, false],
    ['{"a":{"b":{}}}', 2, true],
    ['[{"a":[1]}]', 2, true],
    ['[[1],[2],{"a":3},{}]', 2, false],
    ['[[1],"a",[[1]]]', 2, true],
    ['[]', 0, true],
    ['1', 0, false],
    ['["[[[[", 1]', 1, false],
    ['["\\"[[[[", 1]', 1, false],
    ['["a\\\\",[1]]', 1, true],
    ['["[[[[', 1, false],
    ['"a" [[', 1, true],
  ])('%s is deeper than %i: %s', (text, most, isDeeper) => {
    expect(isDeeperThan(text, most)).toBe(isDeeper);
  });
});

describe('the end of a JSON string', () => {
  test.each([
    ['""', 0, 1],
    ['"a"', 0, 2],
    ['x"ab" "c"', 1, 4],
    ['"\\""', 0, 3],
    ['"\\\\"', 0, 3],
    ['"\\\\\\""', 0, 5],
    ['"\\"\\"" "', 0, 5],
    ['"a', 0, -1],
    ['"a\\"', 0, -1],
  ])('of %s from %i is at %i', (text, from, end) => {
    expect(endOfString(text, from)).toBe(end);
  });
});
