import { expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { pauseAfter } from './pause.ts';

test.each(['OVERLOADED', 'PURCHASES_STOPPED', 'RATE_LIMITED', 'UPSTREAM_AUTH'] as const)(
  '%s pauses all items for five seconds',
  (code) => {
    expect(pauseAfter(new Fault(code))).toEqual({ pauseMs: 5_000, pausesAll: true });
  },
);

test('a pause that the upstream requests holds for all items', () => {
  const fault = new Fault('UPSTREAM_UNAVAILABLE', { facts: { retryAfterMs: 700 } });

  expect(pauseAfter(fault)).toEqual({ pauseMs: 700, pausesAll: true });
});

test('a pause of hours is cut to a minute', () => {
  const fault = new Fault('RATE_LIMITED', { facts: { retryAfterMs: 3_600_000 } });

  expect(pauseAfter(fault)).toEqual({ pauseMs: 60_000, pausesAll: true });
});

test('any other fault pauses its own item only', () => {
  const alone = { pauseMs: 5_000, pausesAll: false };

  expect(pauseAfter(new Fault('UPSTREAM_TIMEOUT'))).toEqual(alone);
  expect(pauseAfter()).toEqual(alone);
});
