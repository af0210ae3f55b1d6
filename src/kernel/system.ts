import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Entropy, Randomness } from './clock.ts';
import { createDeadline } from './deadline.ts';

// The one module that touches the real clock, timers and randomness; a test holds that.

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async wait(ms, signal) {
    try {
      const options = signal ? { signal } : {};
      await (ms > 0 ? sleep(ms, undefined, options) : endOfTurn(undefined, options));
    } catch (error) {
      // Node wraps the reason in an AbortError of its own; the caller wants its own back.
      signal?.throwIfAborted();
      throw error;
    }
  },
  deadline: (ms, abort) =>
    createDeadline((ring) => {
      const timer = setTimeout(ring, ms);
      // Nothing stays alive only to be late.
      timer.unref();
      return () => clearTimeout(timer);
    }, abort),
};

export const systemRandomness: Randomness = {
  uuid: randomUUID,
  fraction: Math.random,
};

export const systemEntropy: Entropy = { bytes: randomBytes };
