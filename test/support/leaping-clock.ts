import { systemClock } from '../../src/lib/system.ts';

/** The real clock, whose monotonic time can be advanced, so that pauses and ages pass without waiting. */
export function leapingClock() {
  let aheadMs = 0;
  return {
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs },
    pass(seconds: number): void {
      aheadMs += seconds * 1_000;
    },
  };
}
