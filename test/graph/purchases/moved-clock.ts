import { systemClock } from '../../../src/lib/system.ts';

/** Real time plus the seconds that a test adds. */
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
