import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AdaptiveLimit } from '../../src/upstream/policies/concurrency.ts';

function startLimit(most: number) {
  let nowMs = 0;
  const limit = new AdaptiveLimit({ monotonicMs: () => nowMs }, most);
  return {
    limit,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** Rounds of attempts, as many as the limit allows, at an upstream that rejects those above `capacity`. */
function load({ limit, pass }: ReturnType<typeof startLimit>, capacity: number, rounds: number) {
  for (let round = 0; round < rounds; round += 1) {
    const sent = limit.current;
    const accepted = Math.min(sent, capacity);
    // An upstream rejects at once, and answers the others later.
    for (let left = sent - 1; left >= accepted; left -= 1) limit.record('rejected', left);
    // Each attempt that ends admits a waiting one.
    for (let at = 0; at < accepted; at += 1) limit.record('accepted', accepted - 1);
    pass(150);
  }
}

test('an upstream that takes eight calls at a time is sent about eight after one round', () => {
  const started = startLimit(64);

  load(started, 8, 1);
  const atFirst = started.limit.current;
  load(started, 8, 1_000);

  expect(atFirst).toBe(8);
  expect(started.limit.current).toBeGreaterThanOrEqual(6);
  expect(started.limit.current).toBeLessThanOrEqual(9);
});

test('the limit grows back to its most when the upstream accepts everything again', () => {
  const started = startLimit(64);
  load(started, 8, 1);

  load(started, Infinity, 50);
  const tooEarly = started.limit.current;
  load(started, Infinity, 200);

  expect(tooEarly).toBe(8);
  expect(started.limit.current).toBe(64);
});

test('an idle gateway does not raise the limit', () => {
  const { limit, pass } = startLimit(64);
  limit.record('rejected', 8);
  pass(60_000);

  for (let at = 0; at < 1_000; at += 1) limit.record('accepted', 0);

  expect(limit.current).toBe(32);
});

test('a few failures among many successes change nothing, rising failures shrink the limit', () => {
  const { limit } = startLimit(64);

  for (let at = 0; at < 1_000; at += 1) limit.record(at % 20 === 0 ? 'failed' : 'accepted', 30);
  const few = limit.current;
  for (let at = 0; at < 20; at += 1) limit.record(at % 2 === 0 ? 'failed' : 'accepted', 30);
  const rising = limit.current;
  for (let at = 0; at < 200; at += 1) limit.record('failed', 30);

  expect(few).toBe(64);
  expect(rising).toBeLessThan(40);
  expect(rising).toBeGreaterThan(8);
  expect(limit.current).toBe(2);
});

test('the limit is always between 2 and its maximum, and only accepted attempts raise it', () => {
  const event = fc.record({
    load: fc.constantFrom('accepted' as const, 'rejected' as const, 'failed' as const),
    inFlight: fc.nat(300),
    afterMs: fc.nat(20_000),
  });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 256 }), fc.array(event), (most, events) => {
      const { limit, pass } = startLimit(most);
      for (const { load: seen, inFlight, afterMs } of events) {
        const before = limit.current;
        pass(afterMs);
        limit.record(seen, inFlight);
        expect(limit.current).toBeGreaterThanOrEqual(2);
        expect(limit.current).toBeLessThanOrEqual(most);
        if (seen !== 'accepted') expect(limit.current).toBeLessThanOrEqual(before);
      }
    }),
  );
});
