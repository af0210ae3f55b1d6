import { describe, expect, test } from 'vitest';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import { pauseBeforeRetry } from './retry.ts';

const pauseAfter = (
  error: unknown,
  { attempt = 1, effect = 'read' as 'read' | 'write', fraction = 0.5 } = {},
) => pauseBeforeRetry(error, attempt, effect, { uuid: () => '', fraction: () => fraction });

const faultOf = (code: FaultCode, retryAfterMs?: number) =>
  new Fault(code, retryAfterMs === undefined ? {} : { facts: { retryAfterMs } });

test.each<[what: string, error: unknown, isRetried: boolean]>([
  ['a timeout', faultOf('UPSTREAM_TIMEOUT'), true],
  ['an unavailable upstream', faultOf('UPSTREAM_UNAVAILABLE'), true],
  ['a rejection for too many requests', faultOf('RATE_LIMITED'), true],
  ['a broken reply', new Fault('UPSTREAM_PROTOCOL', { retryable: true }), true],
  ['a reply that is broken each time', new Fault('UPSTREAM_PROTOCOL', { retryable: false }), false],
  ['an overload of the gateway', new Fault('OVERLOADED', { retryable: true }), false],
  ['a refusal', faultOf('NOT_FOUND'), false],
  ['an abort', new Error('gone'), false],
  ['anything else', { code: 'UPSTREAM_TIMEOUT', retryable: true, facts: {} }, false],
])('a read is retried after %s: %s', (_, error, isRetried) => {
  expect(pauseAfter(error) !== null).toBe(isRetried);
  expect(pauseAfter(error, { effect: 'write' })).toBeNull();
});

test('a read is sent once more after a login that was refused in words', () => {
  const inWords = new Fault('UPSTREAM_AUTH', { upstream: { code: 'CREDENTIALS', message: '' } });
  const byNumber = new Fault('UPSTREAM_AUTH', { upstream: { code: 'API_300_ERROR', message: '' } });

  expect([1, 2].map((attempt) => pauseAfter(inWords, { attempt }))).toEqual([100, null]);
  expect(pauseAfter(inWords, { effect: 'write' })).toBeNull();
  expect(pauseAfter(byNumber)).toBeNull();
});

describe('the pause before a retry', () => {
  const fault = faultOf('UPSTREAM_UNAVAILABLE');

  test('is random, below a limit that doubles; the third attempt is the last', () => {
    expect(pauseAfter(fault, { fraction: 0 })).toBe(0);
    expect(pauseAfter(fault)).toBe(100);
    expect(pauseAfter(fault, { attempt: 2 })).toBe(200);
    expect(pauseAfter(fault, { attempt: 3 })).toBeNull();
  });

  test.each([
    [0, 100],
    [700, 800],
    [2_000, 2_100],
    [2_001, null],
  ])('follows a Retry-After of %j ms, and a longer one ends the call: %j', (retryAfterMs, ms) => {
    expect(pauseAfter(faultOf('RATE_LIMITED', retryAfterMs))).toBe(ms);
  });
});
