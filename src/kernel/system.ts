import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Randomness } from './clock.ts';

// The one module that touches the real clock, timers and randomness; a test holds that.

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  timeout: (ms) => AbortSignal.timeout(ms),
};

export const systemRandomness: Randomness = {
  uuid: randomUUID,
  fraction: Math.random,
};
