import { describe, expect, test } from 'vitest';
import { isLoopback } from './addresses.ts';
import { StartError } from './errors.ts';
import { isRawJson, parseJson, rawJson, resultOr } from './json.ts';
import { CacheRevision, lazy, memoize } from './lazy.ts';
import { quoted } from './text.ts';

test('a revision differs after every change', () => {
  const revision = new CacheRevision();
  const first = revision.current;
  revision.increment();
  const second = revision.current;
  revision.increment();

  expect([first, second, revision.current]).toEqual([0, 1, 2]);
});

test('a lazy value is created by the first call, and once more after a reset', () => {
  let created = 0;
  const value = lazy(() => {
    created += 1;
    return created === 1 ? undefined : created;
  });
  expect(value.started()).toBe(false);

  expect([value(), value(), created, value.started()]).toEqual([undefined, undefined, 1, true]);
  value.reset();
  expect(value.started()).toBe(false);
  expect([value(), value()]).toEqual([2, 2]);
});

test('a memoized value is computed once for each object', () => {
  const computed: object[] = [];
  const wrap = memoize((key: object) => {
    computed.push(key);
    return { key };
  });
  const [one, other] = [{}, {}];

  expect(wrap(one)).toBe(wrap(one));
  expect(wrap(other)).not.toBe(wrap(one));
  expect(computed).toEqual([one, other]);
});

describe('a host', () => {
  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.10.200', '::1', '[::1]'])(
    '%s is reachable from this machine only',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  test.each([
    ...['localhost.example', 'my-localhost', '127.0.0', '127.0.0.1.example', '127.0.0.1000'],
    ...['10.127.0.0.1', '127.a.0.1', '::12', '1::1', '0.0.0.0', '', '[::2]'],
  ])('%j may be reachable from elsewhere', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

test('text that is not JSON has no value', () => {
  expect(parseJson('{"a":[null]}')).toEqual({ a: [null] });
  expect(parseJson('null')).toBeNull();
  expect(parseJson('{')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

test('work that throws has the fallback as its result', () => {
  const fail = () => {
    throw new Error('failed');
  };

  expect([resultOr(() => 1, 2), resultOr(() => undefined, 2), resultOr(fail, 2)]).toEqual([
    1,
    undefined,
    2,
  ]);
});

test('text of a client is quoted, shortened after 80 characters, and shows invisible ones', () => {
  expect(quoted('')).toBe('""');
  expect(quoted('a'.repeat(80))).toBe(`"${'a'.repeat(80)}"`);
  expect(quoted('a'.repeat(81))).toBe(`"${'a'.repeat(80)}…"`);
  expect(quoted('a\u200bb\u0000\u2028c')).toBe('"a\\u{200b}b\\u{0}\\u{2028}c"');
  expect(quoted('"a" \\')).toBe(String.raw`"\"a\" \\"`);
});

test('a raw number is written digit by digit', () => {
  expect(JSON.stringify({ n: rawJson('1.10000000000000000001') })).toBe(
    '{"n":1.10000000000000000001}',
  );
  expect([isRawJson(rawJson('1')), isRawJson(1), isRawJson({})]).toEqual([true, false, false]);
});

test('an error at the start has a name of its own', () => {
  expect(`${new StartError('The port is in use.')}`).toBe('StartError: The port is in use.');
});
