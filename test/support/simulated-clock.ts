import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, createDeadline } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/system.ts';

/** Turns of the event loop, a millisecond apart, without a use of the clock: nothing moves before time does. */
const idleTurns = 10;

/**
 * A clock for a gateway and its sandbox in this process. Time stands still while they work, and passes only in `during` and
 * `pass`, from the end of one wait to the end of the next. So a slow machine makes no call slow, and no wait takes real time.
 *
 *     const time = createSimulatedClock();
 *     const gateway = await startTestGateway({ clock: time.clock });
 *     const { data } = await time.during(gateway.query('{ availability(name: "slow-maple.com") { state } }'));
 */
export function createSimulatedClock() {
  const startedMs = systemClock.now().getTime();
  const timers = new Set<{ readonly atMs: number; readonly onEnd: () => void }>();
  let nowMs = 0;
  let uses = 0;

  const startTimer = (ms: number, onEnd: () => void) => {
    uses += 1;
    const timer = { atMs: nowMs + ms, onEnd };
    timers.add(timer);
    return () => void timers.delete(timer);
  };

  const clock: Clock = {
    now() {
      uses += 1;
      return new Date(startedMs + nowMs);
    },
    monotonicMs() {
      uses += 1;
      return nowMs;
    },
    wait(ms, signal) {
      uses += 1;
      if (ms <= 0) return systemClock.wait(0, signal);
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          stop();
          reject(signal?.reason);
        };
        const stop = startTimer(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
    deadline: (ms, abort) => createDeadline((onEnd) => startTimer(ms, onEnd), abort),
  };

  const passToNextTimer = () => {
    const next = Math.min(...[...timers].map(({ atMs }) => atMs));
    if (next === Infinity) return;
    nowMs = Math.max(nowMs, next);
    for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
      timers.delete(timer);
      timer.onEnd();
    }
  };

  /** Resolves when nothing happens any more at this time, or when `isOver`. */
  const untilIdle = async (isOver = () => false) => {
    let seen = uses;
    for (let turns = 0; turns < idleTurns && !isOver(); turns += 1) {
      await sleep(1);
      if (uses !== seen) turns = 0;
      seen = uses;
    }
  };

  /** Lets time pass until `work` has settled. */
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) {
      await untilIdle(() => isOver);
      if (!isOver) passToNextTimer();
    }
    return work;
  };

  return {
    clock,
    during,
    untilIdle: () => untilIdle(),
    /** Lets `ms` pass, and everything happen that happens in that time. */
    async pass(ms: number): Promise<void> {
      await during(clock.wait(ms));
      await untilIdle();
    },
  };
}

export type SimulatedClock = ReturnType<typeof createSimulatedClock>;
