import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Clock, createDeadline, type Randomness } from './clock.ts';

// The only module that uses the real clock, timers and randomness; a test enforces that.

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async wait(ms, signal) {
    try {
      const options = signal ? { signal } : {};
      await (ms > 0 ? sleep(ms, undefined, options) : endOfTurn(undefined, options));
    } catch (error) {
      // Node wraps the reason in an AbortError; callers compare it with the reason of their signal.
      signal?.throwIfAborted();
      throw error;
    }
  },
  deadline: (ms, abort) =>
    createDeadline((onEnd) => {
      const timer = setTimeout(onEnd, ms);
      // A pending deadline does not keep the process alive.
      timer.unref();
      return () => clearTimeout(timer);
    }, abort),
};

export const systemRandomness: Randomness = {
  uuid: randomUUID,
  fraction: Math.random,
};

export const systemRandomBytes = (length: number): Buffer => randomBytes(length);
