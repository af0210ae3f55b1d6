import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { createTokenBuckets } from '../../lib/token-bucket.ts';
import { createRateLimit } from './rate-limit.ts';

const never = new AbortController().signal;

/** A limit of two attempts per second, whose two first tokens are used. */
async function start() {
  const { clock, pass } = createSimulatedClock();
  const buckets = createTokenBuckets(clock);
  const limit = createRateLimit({ clock, perSecond: 2, buckets, key: 'calls' });
  const admitted: string[] = [];
  const wait = async (name: string, isUrgent = false, signal = never) => {
    await limit.wait(isUrgent, signal);
    admitted.push(name);
  };
  await Promise.all([wait('first'), wait('second')]);
  return { limit, wait, admitted, clock, pass };
}

describe('an attempt above the rate', () => {
  test('waits for its token, first in, first out', async () => {
    const { wait, admitted, pass } = await start();
    expect(admitted).toEqual(['first', 'second']);
    void wait('third');
    void wait('fourth');

    await pass(499);
    expect(admitted).toHaveLength(2);
    await pass(1);
    expect(admitted).toEqual(['first', 'second', 'third']);
    await pass(499);
    expect(admitted).toHaveLength(3);
    await pass(1);
    expect(admitted.at(-1)).toBe('fourth');
  });

  test('that is urgent takes the next token, also if it arrived last', async () => {
    const { wait, admitted, pass } = await start();
    void wait('other');
    await pass(499);
    void wait('urgent', true);

    await pass(1);
    expect(admitted.slice(2)).toEqual(['urgent']);
    await pass(500);

    expect(admitted.slice(2)).toEqual(['urgent', 'other']);
  });

  test('that is aborted leaves the queue, and the others go on', async () => {
    const { wait, admitted, pass } = await start();
    const abort = new AbortController();
    const leaving = wait('leaving', false, abort.signal);
    void wait('staying');

    abort.abort(new Error('gone'));

    await expect(leaving).rejects.toThrow('gone');
    await pass(500);
    expect(admitted.slice(2)).toEqual(['staying']);
  });

  test('that is aborted before it waits takes no token', async () => {
    const { wait, admitted, pass } = await start();
    await pass(500);

    await expect(wait('late', false, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    void wait('third');
    await pass(0);

    expect(admitted.slice(2)).toEqual(['third']);
  });
});

describe('the check before the queue', () => {
  test('refuses an attempt that would have to be sent before its token', async () => {
    const { limit, wait, clock } = await start();
    void wait('one');
    void wait('other');
    const inMs = (ms: number) => clock.monotonicMs() + ms;

    expect(() => limit.check(false, inMs(1_001))).not.toThrow();
    expect(() => limit.check(false, inMs(1_000))).toThrow(
      expect.objectContaining({
        ...{ code: 'RATE_LIMITED', executed: 'NO', facts: { retryAfterMs: 1_000 } },
      }),
    );
  });

  test('counts only urgent attempts before an urgent one', async () => {
    const { limit, wait, clock } = await start();
    void wait('other');
    const soonMs = clock.monotonicMs() + 1;
    expect(() => limit.check(true, soonMs)).not.toThrow();

    void wait('urgent', true);

    expect(() => limit.check(true, soonMs)).toThrow(
      expect.objectContaining({ facts: { retryAfterMs: 500 } }),
    );
    expect(() => limit.check(false, soonMs)).toThrow(
      expect.objectContaining({ facts: { retryAfterMs: 1_000 } }),
    );
  });

  test('reports a time in whole milliseconds', () => {
    const { clock } = createSimulatedClock();
    const buckets = createTokenBuckets(clock);
    const limit = createRateLimit({ clock, perSecond: 3, buckets, key: 'calls' });
    for (let at = 0; at < 4; at += 1) void limit.wait(false, never);

    expect(() => limit.check(false, 0)).toThrow(
      expect.objectContaining({ facts: { retryAfterMs: 334 } }),
    );
  });
});
