import type { Clock } from '../../../lib/clock.ts';

/** Work on all domains runs this long at a time; other requests run in between. */
const sliceMs = 0.5;

/** The clock is read once in this many steps of about 100 ns. */
const stepsPerClockRead = 128;

export type Slices = ReturnType<typeof createSlices>;

/** Divides long work into slices: `if (slices.isOver()) await slices.next()` at each step. */
export function createSlices(clock: Pick<Clock, 'monotonicMs' | 'wait'>) {
  let steps = 0;
  let endsMs = clock.monotonicMs() + sliceMs;
  return {
    isOver: () => {
      steps += 1;
      return steps % stepsPerClockRead === 0 && clock.monotonicMs() >= endsMs;
    },
    async next(): Promise<void> {
      await clock.wait(0);
      endsMs = clock.monotonicMs() + sliceMs;
    },
  };
}
