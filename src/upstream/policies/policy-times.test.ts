import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { systemClock } from '../../lib/system.ts';
import { createTtlCache } from './cache.ts';
import { createBreaker, createOpenState } from './circuit-breaker.ts';
import { createRetryAfterPause } from './retry-after-pause.ts';

function startTime(fraction = 0.5) {
  let nowMs = 50_000;
  const waits: number[] = [];
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    wait: async (ms: number) => {
      waits.push(ms);
      nowMs += ms;
    },
  };
  const randomness = { uuid: () => '', fraction: () => fraction };
  return { clock, randomness, waits, pass: (ms: number) => (nowMs += ms) };
}

describe('an entry of the cache', () => {
  function startCache(
    more: Partial<Record<'staleMs' | 'lastResortMs' | 'maxAgeMs' | 'maxEntries', number>> = {},
  ) {
    const { clock, pass } = startTime();
    const revision = new CacheRevision();
    const cache = createTtlCache<string>({
      ...{ clock, revision, maxAgeMs: 100, maxEntries: 2, ...more },
    });
    const store = (key: string, value: string) => cache.beginStore()(key, value);
    return { cache, store, revision, pass };
  }

  test('is fresh, then stale, then a last resort, and gone at the end of each time', () => {
    const { cache, store, pass } = startCache({ staleMs: 200, lastResortMs: 300 });
    store('a', 'one');
    const at = (ms: number) => {
      pass(ms);
      return cache.get('a');
    };

    expect(at(99)).toEqual({ value: 'one', ageMs: 99, leftMs: 1, freshness: 'fresh' });
    expect(at(1)).toEqual({ value: 'one', ageMs: 100, leftMs: 0, freshness: 'stale' });
    expect(at(99)?.freshness).toBe('stale');
    expect(at(1)?.freshness).toBe('last-resort');
    expect(at(99)?.freshness).toBe('last-resort');
    expect(at(1)).toBeNull();
  });

  test('without further times is gone when it is not fresh', () => {
    const { cache, store, pass } = startCache();
    store('a', 'one');

    pass(99);
    expect(cache.get('a')?.freshness).toBe('fresh');
    pass(1);
    expect(cache.get('a')).toBeNull();
    expect(cache.get('b')).toBeNull();
  });

  test('has the age of the call that read it, not of its reply', () => {
    const { cache, pass } = startCache();
    const store = cache.beginStore();
    pass(60);

    store('a', 'one');

    expect(cache.get('a')?.ageMs).toBe(60);
  });

  test('is not stored when any entry was invalidated since the call began', () => {
    const { cache, store } = startCache();
    const late = cache.beginStore();

    cache.invalidate('b');
    late('a', 'one');

    expect(cache.get('a')).toBeNull();
    store('a', 'two');
    expect(cache.get('a')?.value).toBe('two');
    cache.invalidate('a');
    expect(cache.get('a')).toBeNull();
  });

  test('that is invalidated is gone, also when it was evicted from the newer half', () => {
    const { cache, store } = startCache({ maxEntries: 4 });
    for (const key of ['a', 'b', 'c']) store(key, key);

    for (const key of ['a', 'c']) cache.invalidate(key);

    expect(['a', 'b', 'c'].map((key) => cache.get(key)?.value)).toEqual([
      ...[undefined, 'b', undefined],
    ]);
  });

  test('is not stored by a cache without an age', () => {
    const { cache, store } = startCache({ maxAgeMs: 0, lastResortMs: 100 });
    store('a', 'one');

    expect(cache.get('a')).toBeNull();
  });

  test('advances the revision when it is replaced or invalidated, and not when it is new', () => {
    const { cache, store, revision } = startCache();

    store('a', 'one');
    expect(revision.current).toBe(0);
    store('a', 'two');
    expect(revision.current).toBe(1);
    cache.invalidate('c');
    expect(revision.current).toBe(2);
  });

  test('is evicted when it is the oldest', () => {
    const { cache, store } = startCache();
    for (const key of ['a', 'b', 'c']) store(key, key);

    expect(['a', 'b', 'c'].map((key) => cache.get(key)?.value)).toEqual([undefined, 'b', 'c']);
  });
});

describe('the open state of a circuit', () => {
  const pauseLimits = { firstMs: 100, maxMs: 300 };
  const open = (fraction?: number) => {
    const time = startTime(fraction);
    const circuit = createOpenState({ ...time, ...pauseLimits });
    return { ...circuit, passMs: time.pass };
  };

  test('rejects until the end of its pause, and then admits one trial', () => {
    const circuit = open();
    expect([circuit.state(), circuit.rejects(), circuit.leftMs(), circuit.enter()]).toEqual([
      ...['closed', false, 0, false],
    ]);

    circuit.open();
    circuit.passMs(99);
    expect([circuit.state(), circuit.rejects(), circuit.leftMs()]).toEqual(['open', true, 1]);
    circuit.passMs(1);
    expect([circuit.state(), circuit.rejects(), circuit.leftMs()]).toEqual(['half-open', false, 0]);
    expect(circuit.enter()).toBe(true);
    expect(circuit.rejects()).toBe(true);
    circuit.abandonTrial();
    expect(circuit.rejects()).toBe(false);
    circuit.passMs(50);
    expect(circuit.leftMs()).toBe(0);
  });

  test('doubles its pause with each failed trial up to the longest, and starts over when closed', () => {
    const circuit = open();
    const pauses = [1, 2, 3, 4].map(() => {
      circuit.open();
      const ms = circuit.leftMs();
      circuit.passMs(ms);
      circuit.enter();
      return ms;
    });
    circuit.close();
    expect([circuit.state(), circuit.rejects()]).toEqual(['closed', false]);
    circuit.open();

    expect([...pauses, circuit.leftMs()]).toEqual([100, 200, 300, 300, 100]);
  });

  test('varies its pause by a quarter in both directions', () => {
    const pauses = [0, 0.5, 1].map((fraction) => {
      const circuit = open(fraction);
      circuit.open();
      return circuit.leftMs();
    });

    expect(pauses).toEqual([75, 100, 125]);
  });
});

describe('the pause of a Retry-After', () => {
  function startPause() {
    const time = startTime();
    const published: number[] = [];
    let notify = (_ms: number) => {};
    const pause = createRetryAfterPause({
      ...time,
      maxMs: 5_000,
      channel: {
        publish: (ms) => void published.push(ms),
        onPause: (listener) => {
          notify = listener;
        },
      },
    });
    return { ...time, pause, published, receive: (ms: number) => notify(ms) };
  }
  const limited = (retryAfterMs?: number) =>
    new Fault('RATE_LIMITED', retryAfterMs === undefined ? {} : { facts: { retryAfterMs } });
  const never = new AbortController().signal;

  test('lasts as long as the reply says, a second without a time, and never longer than the longest', () => {
    const lengths = [limited(700), limited(), limited(5_001)].map((fault) => {
      const { pause, published } = startPause();
      pause.record(fault);
      return [pause.leftMs(), ...published];
    });

    expect(lengths).toEqual([
      [700, 700],
      [1_000, 1_000],
      [5_000, 5_000],
    ]);
  });

  test('begins with any fault that has a time, and with no other', () => {
    const { pause, published } = startPause();
    pause.record(new Fault('UPSTREAM_UNAVAILABLE'));
    expect([pause.leftMs(), published]).toEqual([0, []]);

    pause.record(new Fault('UPSTREAM_UNAVAILABLE', { facts: { retryAfterMs: 300 } }));
    expect([pause.leftMs(), published]).toEqual([300, [300]]);
  });

  test('is never shortened, and a pause of another replica extends it without being published', () => {
    const { pause, published, receive } = startPause();
    pause.record(limited(900));
    pause.record(limited(400));
    expect(pause.leftMs()).toBe(900);

    receive(1_200);
    receive(60_000);
    expect([pause.leftMs(), published]).toEqual([5_000, [900, 400]]);
  });

  test('refuses a call that could not be sent before its end with the spread, and no other', () => {
    const { pause } = startPause();
    expect(() => pause.check(0)).not.toThrow();
    pause.record(limited(1_000));

    expect(() => pause.check(51_251)).not.toThrow();
    expect(() => pause.check(51_250)).toThrow(
      expect.objectContaining({
        ...{ code: 'RATE_LIMITED', executed: 'NO', facts: { retryAfterMs: 1_000 } },
        message: 'The registrar requested a pause, so it was not called. Try again later.',
      }),
    );
  });

  test('is waited for with a random spread, and not when there is none', async () => {
    const { pause, waits } = startPause();
    await pause.wait(Infinity, never);
    expect(waits).toEqual([]);

    pause.record(limited(1_000));
    await pause.wait(Infinity, never);
    expect([waits, pause.leftMs()]).toEqual([[1_125], 0]);
  });

  test('that is extended during the wait beyond the end of a call refuses the call', async () => {
    const { clock, pass } = createSimulatedClock();
    const pause = createRetryAfterPause({
      ...startTime(0),
      clock,
      maxMs: 5_000,
      channel: null,
    });
    pause.record(limited(1_000));
    const endsAtMs = clock.monotonicMs() + 2_000;
    const abort = new AbortController();
    const outcomes = [
      pause.wait(endsAtMs, never),
      pause.wait(endsAtMs + 1_000, never),
      pause.wait(endsAtMs + 1_000, abort.signal),
    ].map((wait) =>
      wait.then(
        () => 'sent',
        ({ code, message }) => code ?? message,
      ),
    );

    await pass(500);
    pause.record(limited(2_000));
    await pass(500);
    abort.abort(new Error('gone'));
    await pass(1_500);

    expect(await Promise.all(outcomes)).toEqual(['RATE_LIMITED', 'sent', 'gone']);
  });
});

describe('the circuit breaker', () => {
  const limits = { failures: 4, windowMs: 1_000, firstMs: 100, maxMs: 400 };
  function startBreaker() {
    const time = startTime();
    const breaker = createBreaker(time, limits);
    const run = (verdict: 'works' | 'fails' | 'nothing', times = 1) => {
      for (let at = 0; at < times; at += 1) breaker.leave(breaker.enter(), verdict);
    };
    return { breaker, run, pass: time.pass };
  }

  test('opens at its number of failures when they are half of all attempts, not before', () => {
    const { breaker, run } = startBreaker();
    run('works', 4);
    run('nothing', 10);
    run('fails', 3);
    expect(breaker.state()).toBe('closed');
    run('fails');
    expect(breaker.state()).toBe('open');

    const mostlyWorks = startBreaker();
    mostlyWorks.run('works', 5);
    mostlyWorks.run('fails', 4);
    expect(mostlyWorks.breaker.state()).toBe('closed');
    mostlyWorks.run('fails');
    expect(mostlyWorks.breaker.state()).toBe('open');
  });

  test('counts the failures of the current half of the window and the one before', () => {
    const { breaker, run, pass } = startBreaker();
    run('fails', 3);
    pass(999);
    run('fails');
    expect(breaker.state()).toBe('open');

    const halves = startBreaker();
    halves.run('fails');
    halves.pass(500);
    halves.run('fails', 2);
    halves.pass(500);
    halves.run('fails');
    expect(halves.breaker.state()).toBe('closed');
    halves.run('fails');
    expect(halves.breaker.state()).toBe('open');

    const late = startBreaker();
    late.run('fails', 3);
    late.pass(999);
    late.run('nothing');
    late.pass(1);
    late.run('fails', 3);
    expect(late.breaker.state()).toBe('closed');
    late.run('fails');
    expect(late.breaker.state()).toBe('open');
  });

  test('counts the successes of the half before too', () => {
    const { breaker, run, pass } = startBreaker();
    run('works', 5);
    pass(500);
    run('fails', 4);
    expect(breaker.state()).toBe('closed');
    run('fails');
    expect(breaker.state()).toBe('open');
  });

  test('refuses calls while it is open with the rest of its pause, and admits urgent ones', () => {
    const { breaker, run, pass } = startBreaker();
    expect(() => breaker.check(false)).not.toThrow();
    run('fails', 4);
    pass(40.5);

    expect(() => breaker.check(true)).not.toThrow();
    expect(() => breaker.check(false)).toThrow(
      expect.objectContaining({
        ...{ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO', facts: { retryAfterMs: 60 } },
        message: 'The registrar failed repeatedly, so it was not called. Try again later.',
      }),
    );
    expect(breaker.enter()).toBe('urgent');
  });

  test('admits one trial after its pause, refuses others in the meantime, and closes when it works', () => {
    const { breaker, run, pass } = startBreaker();
    run('fails', 4);
    pass(100);
    expect(() => breaker.check(false)).not.toThrow();
    const trial = breaker.enter();
    expect(trial).toBe('trial');
    expect(() => breaker.check(false)).toThrow(
      expect.objectContaining({ facts: { retryAfterMs: 100 } }),
    );

    breaker.leave(trial, 'works');
    expect([breaker.state(), breaker.enter()]).toEqual(['closed', 'closed']);
    run('fails', 3);
    expect(breaker.state()).toBe('closed');
  });

  test('extends its pause after a failed trial, and repeats a trial that shows nothing', () => {
    const { breaker, run, pass } = startBreaker();
    run('fails', 4);
    pass(100);
    breaker.leave(breaker.enter(), 'nothing');
    expect(breaker.enter()).toBe('trial');
    breaker.leave('trial', 'fails');
    pass(199);
    expect(breaker.state()).toBe('open');
    pass(1);
    expect(breaker.state()).toBe('half-open');
  });

  test('is closed by an urgent attempt that works, and ignores those from before it opened', () => {
    const { breaker, run, pass } = startBreaker();
    run('fails', 4);
    pass(99);
    breaker.leave('closed', 'works');
    breaker.leave('closed', 'fails');
    breaker.leave('urgent', 'fails');
    expect(breaker.state()).toBe('open');
    pass(1);
    expect(breaker.state()).toBe('half-open');
    breaker.leave('urgent', 'works');
    expect(breaker.state()).toBe('closed');
  });
});
