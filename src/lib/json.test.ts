import { describe, expect, test } from 'vitest';
import { endOfString, isDeeperThan, secondMember } from './json.ts';

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

describe('a member that occurs twice', () => {
  test.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', null],
    ['[1,"a","a"]', null],
    ['"a"', null],
    ['{"a":"a","b":"a:a,a"}', null],
    ['{"a":1,"a":1}', 'a second "a"'],
    ['{"a":1,"\\u0061":1}', 'a second "a"'],
    [
      '{"rules":[{"x":[1,2]},{"margin":"30" , "margin" : "3"}]}',
      'a second "margin" in "rules".[1]',
    ],
    ['{"a":{"b":{"c":{},"d":[],"c":1}}}', 'a second "c" in "a"."b"'],
    ['{"a":{"\\\\":1,"b":2,"b":3}}', 'a second "b" in "a"'],
    ['{"a":1,"a', null],
    ['[[],{"b":"\\"{","b":3}]', 'a second "b" in [1]'],
    // A name with other characters, or a long one, could be a secret.
    ['{"rg_1 x":{"b":1,"b":2}}', 'a second "b" in "…"'],
    ['{"rg_1 x":1,"rg_1 x":2}', 'a second "…"'],
  ])('in %s: %j', (text, expected) => {
    expect(secondMember(text)).toBe(expected);
  });
});
