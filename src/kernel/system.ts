import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Entropy, LoopMeter, Randomness } from './clock.ts';
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

export function createSystemLoopMeter(): LoopMeter {
  const look = () => ({
    worked: performance.eventLoopUtilization(),
    turns: performance.nodeTiming.uvMetricsInfo.loopCount,
  });
  let before = look();
  return () => {
    const now = look();
    const { active, utilization } = performance.eventLoopUtilization(now.worked, before.worked);
    const turns = now.turns - before.turns;
    before = now;
    return { turnMs: active / Math.max(1, turns), busy: utilization };
  };
}

export const systemRandomness: Randomness = {
  uuid: randomUUID,
  fraction: Math.random,
};

export const systemEntropy: Entropy = { bytes: randomBytes };
