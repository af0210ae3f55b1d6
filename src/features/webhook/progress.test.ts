import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { afterAttempt, type DeliveryOutcome, isDue } from './progress.ts';
import type { WebhookProgress } from './record.ts';

const start = new Date('2026-01-31T12:00:00Z');
const after = (ms: number) => new Date(start.getTime() + ms);

const fresh: WebhookProgress = {
  ...{ position: 4, missedUntil: 2, failures: 0, failingSince: null, dueAt: null },
  suspension: null,
};
const accepted: DeliveryOutcome = { status: 200, failure: null, retryAfterMs: null, isGone: false };
const failed: DeliveryOutcome = {
  status: 500,
  failure: 'The endpoint responded 500.',
  retryAfterMs: null,
  isGone: false,
};

const next = (
  progress: WebhookProgress,
  outcome: Partial<DeliveryOutcome>,
  { atMs = 0, fraction = 0, pauseMs = 0 } = {},
) =>
  afterAttempt(
    progress,
    { ...failed, ...outcome },
    {
      ...{ position: 9, now: after(atMs), fraction, pauseMs },
    },
  );

test('an accepted event moves the position and ends the failures', () => {
  const failing = { ...fresh, failures: 3, failingSince: start, dueAt: start };

  expect(next(failing, accepted)).toEqual({ ...fresh, position: 9 });
});

test('the next request to a chat waits, which is no failure', () => {
  const paused = next(fresh, accepted, { pauseMs: 30 * secondMs });

  expect(paused).toEqual({ ...fresh, position: 9, dueAt: after(30 * secondMs) });
  expect([29, 30].map((seconds) => isDue(paused, after(seconds * secondMs)))).toEqual([
    false,
    true,
  ]);
});

test('a failed event keeps the position, and the first failure has its time', () => {
  const first = next(fresh, {});
  const second = next(first, {}, { atMs: 9 * secondMs });

  expect(first).toEqual({
    ...{ ...fresh, failures: 1, failingSince: start, dueAt: after(5 * secondMs) },
  });
  expect(second).toEqual({
    ...{ ...fresh, failures: 2, failingSince: start, dueAt: after(19 * secondMs) },
  });
});

describe('the wait after a failure', () => {
  const waitAfter = (failures: number, outcome: Partial<DeliveryOutcome> = {}, fraction = 0) => {
    const { dueAt } = next({ ...fresh, failures: failures - 1, failingSince: start }, outcome, {
      fraction,
    });
    return dueAt && dueAt.getTime() - start.getTime();
  };

  test.each([
    [1, 5 * secondMs],
    [2, 10 * secondMs],
    [3, 20 * secondMs],
    [9, 1_280 * secondMs],
    [10, 2_560 * secondMs],
    [11, hourMs],
    [40, hourMs],
    [2_000, hourMs],
  ])('number %i is %i ms', (failures, ms) => {
    expect(waitAfter(failures)).toBe(ms);
  });

  test('is up to a quarter shorter by chance', () => {
    expect(waitAfter(1, {}, 0.5)).toBe(4_375);
    expect(waitAfter(11, {}, 1)).toBe(45 * minuteMs);
  });

  test('is the one that the endpoint requested, when that is longer, and at most an hour', () => {
    expect(waitAfter(1, { retryAfterMs: minuteMs })).toBe(minuteMs);
    expect(waitAfter(3, { retryAfterMs: secondMs })).toBe(20 * secondMs);
    expect(waitAfter(1, { retryAfterMs: 24 * hourMs })).toBe(hourMs);
  });

  test('ends 24 hours after the first failure at the latest', () => {
    const failing = { ...fresh, failures: 30, failingSince: start };

    expect(next(failing, {}, { atMs: 24 * hourMs - secondMs }).dueAt).toEqual(after(24 * hourMs));
  });
});

describe('a webhook is suspended', () => {
  test('by an attempt that fails 24 hours after the first failure', { tags: ['W4'] }, () => {
    const failing = { ...fresh, failures: 30, failingSince: start };

    expect(next(failing, {}, { atMs: 24 * hourMs - 1 }).suspension).toBeNull();
    expect(next(failing, {}, { atMs: 24 * hourMs })).toEqual({
      ...{ ...failing, failures: 31 },
      suspension: {
        at: after(24 * hourMs),
        reason: 'All attempts of 24 hours failed. The last one: The endpoint responded 500.',
      },
    });
  });

  test('by 410 Gone at once', { tags: ['W4'] }, () => {
    expect(next(fresh, { failure: 'It is gone.', isGone: true })).toMatchObject({
      ...{ position: 4, dueAt: null },
      suspension: { reason: 'It is gone.' },
    });
  });
});

test('a failure after the present, of a wrong clock, counts from now', () => {
  const wrong = { ...fresh, failures: 3, failingSince: after(hourMs) };

  expect(next(wrong, {}).failingSince).toEqual(start);
});

test.each([
  ['without a time', { dueAt: null }, true],
  ['at its time', { dueAt: start }, true],
  ['before its time', { dueAt: after(1) }, false],
  ['at the longest wait', { dueAt: after(hourMs) }, false],
  ['with a time that a wrong clock stored', { dueAt: after(hourMs + 1) }, true],
  ['while it is suspended', { suspension: { at: start, reason: 'Gone.' } }, false],
])('a webhook %s is due: %o', (_when, progress, expected) => {
  expect(isDue({ ...fresh, ...progress }, start)).toBe(expected);
});
