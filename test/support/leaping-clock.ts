import { systemClock } from '../../src/kernel/system.ts';

/** The real clock, whose monotonic time can be pushed on: pauses and ages pass, and nobody waits for them. */
export function leapingClock() {
  let aheadMs = 0;
  return {
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs },
    pass(seconds: number): void {
      aheadMs += seconds * 1_000;
    },
  };
}
