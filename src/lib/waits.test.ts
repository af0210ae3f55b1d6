import { beforeEach, describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  endOfTurn,
  settlementOf,
} from '../../test/support/simulated-clock.ts';
import { createDeadline } from './clock.ts';
import { systemClock } from './system.ts';
import { createPause, raceAbort, withTimeout } from './waits.ts';

const never = new Promise<never>(() => {});

describe('work beside an abort signal', () => {
  test('without a signal is the work itself', () => {
    const work = Promise.resolve(1);

    expect(raceAbort(work, undefined)).toBe(work);
  });

  test('resolves or rejects as the work does, also after another wait at the same signal', async () => {
    const { signal } = new AbortController();
    const error = new Error('failed');

    expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
    await expect(raceAbort(Promise.reject(error), signal)).rejects.toBe(error);
  });

  test('rejects every wait with the reason of the signal, also one that begins after the abort', async () => {
    const abort = new AbortController();
    const reason = new Error('gone');
    const waits = [raceAbort(never, abort.signal), raceAbort(never, abort.signal)];

    abort.abort(reason);

    for (const wait of waits) await expect(wait).rejects.toBe(reason);
    await expect(raceAbort(never, abort.signal)).rejects.toBe(reason);
    await expect(raceAbort(Promise.resolve(1), abort.signal)).rejects.toBe(reason);
  });

  test('shares one listener and references no wait that has ended', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    void raceAbort(never, signal);
    await raceAbort(Promise.resolve(1), signal);
    await raceAbort(Promise.reject(new Error('failed')), signal).catch(() => undefined);

    const [stored] = Object.getOwnPropertySymbols(signal)
      .map((symbol) => Reflect.get(signal, symbol))
      .filter((value) => value instanceof Set);
    expect(listeners).toBe(1);
    expect(stored?.size).toBe(1);
  });
});

describe('work with a timeout', () => {
  function clockOf() {
    const timer = { ms: 0, end: () => {}, stopped: 0 };
    const clock = {
      deadline: (ms: number) =>
        createDeadline((onEnd) => {
          Object.assign(timer, { ms, end: onEnd });
          return () => {
            timer.stopped += 1;
          };
        }),
    };
    return { clock, timer };
  }

  test('resolves to its own result and stops the timer', async () => {
    const { clock, timer } = clockOf();

    expect(await withTimeout(clock, 40, Promise.resolve('done'), 'late')).toBe('done');
    expect(timer).toMatchObject({ ms: 40, stopped: 1 });
  });

  test('resolves to the late value when the time is over first', async () => {
    const { clock, timer } = clockOf();
    const result = withTimeout(clock, 40, never, 'late');

    timer.end();

    expect(await result).toBe('late');
    expect(timer.stopped).toBe(1);
  });

  test('rejects with the error of the work, even one that arrives when the time is over', async () => {
    const { clock, timer } = clockOf();
    const error = new Error('failed');
    await expect(withTimeout(clock, 40, Promise.reject(error), 'late')).rejects.toBe(error);

    const work = Promise.withResolvers<never>();
    const result = withTimeout(clock, 40, work.promise, 'late');
    work.reject(error);
    await Promise.resolve();
    timer.end();

    await expect(result).rejects.toBe(error);
  });
});

describe('the clock of the system', () => {
  test('ends a wait of zero after the microtasks of this turn, and rejects one that is aborted', async () => {
    const reason = new Error('gone');
    const abort = new AbortController();
    const order: string[] = [];
    const wait = systemClock.wait(0).then(() => order.push('wait'));
    await Promise.resolve().then(() => order.push('microtask'));
    await wait;
    abort.abort(reason);

    expect(order).toEqual(['microtask', 'wait']);
    await expect(systemClock.wait(0, abort.signal)).rejects.toBe(reason);
    await expect(systemClock.wait(60_000, abort.signal)).rejects.toBe(reason);
  });

  test('rejects a wait that is aborted while it runs with the very reason', async () => {
    const reason = new Error('gone');
    const abort = new AbortController();
    const wait = systemClock.wait(60_000, abort.signal);
    abort.abort(reason);

    await expect(wait).rejects.toBe(reason);
  });
});

describe('pause', () => {
  let time: ReturnType<typeof createSimulatedClock>;
  let stop: AbortController;
  let pause: ReturnType<typeof createPause>;

  beforeEach(() => {
    time = createSimulatedClock();
    stop = new AbortController();
    pause = createPause(time.clock, stop.signal);
  });

  /** Whether a pause of a second has ended after a turn of the event loop. */
  const endsAtOnce = async (): Promise<boolean> => {
    const hasEnded = settlementOf(pause.wait(1_000));
    await endOfTurn();
    return hasEnded();
  };

  describe('a pause', () => {
    test('ends after its time', async () => {
      const hasEnded = settlementOf(pause.wait(1_000));
      await time.pass(999);
      expect(hasEnded()).toBe(false);

      await time.pass(1);
      expect(hasEnded()).toBe(true);
    });

    test('ends when it is woken', async () => {
      const waiting = pause.wait(1_000);
      const hasEnded = settlementOf(waiting);
      pause.wake();
      await endOfTurn();

      expect(hasEnded()).toBe(true);
      await waiting;
    });

    test('ends at once when it was woken during the work', async () => {
      pause.begin();
      pause.wake();

      expect(await endsAtOnce()).toBe(true);
    });

    test('does not end for a wake before the work', async () => {
      pause.wake();
      pause.begin();

      expect(await endsAtOnce()).toBe(false);
    });

    test('rejects with the reason when the loop stops', async () => {
      const waiting = pause.wait(1_000);
      stop.abort(new Error('the gateway stops'));

      await expect(waiting).rejects.toThrow('the gateway stops');
    });
  });
});
