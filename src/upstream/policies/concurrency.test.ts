import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import { AdaptiveLimit, ConcurrencyLimit } from './concurrency.ts';

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

test('the limit grows by one per round of accepted attempts, from ten seconds after a decrease', () => {
  const { limit, pass } = startLimit(8);
  const accept = (times: number) => {
    for (let at = 0; at < times; at += 1) limit.record('accepted', limit.current - 1);
    return limit.current;
  };
  limit.record('rejected', 0);
  pass(9_999);
  expect(accept(100)).toBe(4);
  pass(1);

  // The sum of 1/4, 1/4.25, … exceeds 1 with its fifth term.
  expect(accept(4)).toBe(4);
  expect(accept(1)).toBe(5);
});

test('the limit does not grow while fewer attempts than it allows are in flight', () => {
  const { limit, pass } = startLimit(8);
  limit.record('rejected', 0);
  pass(10_000);

  for (let at = 0; at < 100; at += 1) limit.record('accepted', 2);
  expect(limit.current).toBe(4);
  for (let at = 0; at < 100; at += 1) limit.record('accepted', 3);
  expect(limit.current).toBe(5);
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

describe('slots', () => {
  const never = new AbortController().signal;
  /** Eight slots, of which a quarter is reserved for urgent attempts. */
  function startSlots() {
    let limit = 8;
    const slots = new ConcurrencyLimit(() => limit, 1 / 4);
    const entered: string[] = [];
    const enter = async (name: string, isUrgent = false, signal = never) => {
      await slots.enter(signal, isUrgent);
      entered.push(name);
    };
    return { slots, entered, enter, setLimit: (to: number) => (limit = to) };
  }

  test('that are reserved are left to urgent attempts', async () => {
    const { slots, entered, enter } = startSlots();
    for (let at = 0; at < 6; at += 1) await enter('other');
    expect([slots.isFree(false), slots.isFree(true)]).toEqual([false, true]);
    void enter('other');
    void enter('urgent', true);
    void enter('urgent', true);
    void enter('urgent', true);
    await endOfTurn();

    expect(entered.slice(6)).toEqual(['urgent', 'urgent']);
    expect(slots.isFree(true)).toBe(false);
  });

  test('go to urgent attempts first, and otherwise to the first in the queue', async () => {
    const { slots, entered, enter } = startSlots();
    for (let at = 0; at < 6; at += 1) await enter('other');
    for (let at = 0; at < 2; at += 1) await enter('urgent', true);
    void enter('third');
    void enter('fourth');
    void enter('first', true);
    void enter('second', true);

    for (let at = 0; at < 4; at += 1) {
      slots.leave();
      await endOfTurn();
      expect(entered).toHaveLength(9 + at);
    }

    expect(entered.slice(8)).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('of an urgent attempt are not given to others beyond the unreserved ones', async () => {
    const { slots, entered, enter } = startSlots();
    for (let at = 0; at < 6; at += 1) await enter('other');
    await enter('urgent', true);
    void enter('waiting');

    slots.leave(true);
    await endOfTurn();
    expect(entered).not.toContain('waiting');
    slots.leave();
    await endOfTurn();

    expect(entered).toContain('waiting');
  });

  test('that a raised limit adds are taken by waiting attempts when the next one leaves', async () => {
    const { slots, entered, enter, setLimit } = startSlots();
    setLimit(2);
    await enter('first');
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    setLimit(4);

    slots.leave();
    await endOfTurn();

    expect(entered).toEqual(['first', 'a', 'b', 'c']);
  });

  test('are not taken by an attempt that was aborted before it entered', async () => {
    const { slots, enter, setLimit } = startSlots();
    setLimit(1);

    const late = enter('late', false, AbortSignal.abort(new Error('gone')));

    await expect(late).rejects.toThrow('gone');
    expect(slots.isFree(false)).toBe(true);
  });

  test('are unreserved for one attempt at least', () => {
    const unreserved = [1, 2, 4, 5, 8].map((limit) => new ConcurrencyLimit(() => limit, 1 / 4));

    expect(unreserved.map((slots) => slots.unreserved)).toEqual([1, 1, 3, 3, 6]);
  });
});
