import type { Clock } from './clock.ts';

/** Long work runs this long at a time; other requests run in between. */
const sliceMs = 0.5;

export type Slices = ReturnType<typeof createSlices>;

/** Divides long work into slices: `if (slices.isOver()) await slices.next()`, every 10 µs or so. */
export function createSlices(clock: Pick<Clock, 'monotonicMs' | 'wait'>) {
  let endsMs = clock.monotonicMs() + sliceMs;
  return {
    isOver: () => clock.monotonicMs() >= endsMs,
    async next(): Promise<void> {
      await clock.wait(0);
      endsMs = clock.monotonicMs() + sliceMs;
    },
  };
}
