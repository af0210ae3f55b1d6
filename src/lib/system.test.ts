import { expect, test } from 'vitest';
import { systemClock, systemRandomness } from './system.ts';

test('an aborted wait ends at once with the reason of the abort', async () => {
  const reason = new Error('The caller has gone.');
  const aborter = new AbortController();
  const waiting = systemClock.wait(60_000, aborter.signal);

  aborter.abort(reason);

  // Node wraps the reason; it is the cause.
  await expect(waiting).rejects.toSatisfy(
    (error: unknown) => error === reason || (error as Error).cause === reason,
  );
});

test('a wait resolves, a deadline aborts with a TimeoutError, and monotonic time increases', async () => {
  const before = systemClock.monotonicMs();
  using deadline = systemClock.deadline(5);

  await systemClock.wait(20);

  expect(systemClock.monotonicMs()).toBeGreaterThan(before);
  expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('uuids differ, and a fraction is at least 0 and less than 1', () => {
  const ids = Array.from({ length: 100 }, () => systemRandomness.uuid());
  const fractions = Array.from({ length: 1_000 }, () => systemRandomness.fraction());

  expect(new Set(ids).size).toBe(100);
  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
  expect(fractions.every((part) => part >= 0 && part < 1)).toBe(true);
});
