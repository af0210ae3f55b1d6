import { systemClock } from '../../../src/lib/system.ts';

/** Real time, moved on by as many seconds as a test says. */
export function createMovedClock() {
  let offsetMs = 0;
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    monotonicMs: () => systemClock.monotonicMs() + offsetMs,
    advance: (seconds: number) => {
      offsetMs += seconds * 1000;
    },
  };
}
