import type { Clock } from '../../lib/clock.ts';

/** So long work on all domains goes on at a stretch; then requests that wait have their turn. */
const sliceMs = 0.5;

/** Between two looks at the clock so many steps of some 100 ns each. */
const stepsOfLook = 128;

export type Slices = ReturnType<typeof createSlices>;

/** Cuts long work into slices: `if (slices.isOver()) await slices.next()` at each step. */
export function createSlices(clock: Pick<Clock, 'monotonicMs' | 'wait'>) {
  let steps = 0;
  let endsMs = clock.monotonicMs() + sliceMs;
  return {
    isOver: () => {
      steps += 1;
      return steps % stepsOfLook === 0 && clock.monotonicMs() >= endsMs;
    },
    async next(): Promise<void> {
      await clock.wait(0);
      endsMs = clock.monotonicMs() + sliceMs;
    },
  };
}

const shortRun = 64;

/** A merge sort, stable, in slices. Runs that are in order already are looked at once, and copied as they are. */
export async function sortInSlices(
  numbers: Uint32Array,
  compare: (one: number, other: number) => number,
  slices: Slices,
): Promise<Uint32Array> {
  let [from, to] = [numbers.slice(), new Uint32Array(numbers.length)];
  for (let at = 0; at < from.length; at += shortRun) {
    const run = from.subarray(at, at + shortRun);
    if (!isInOrder(run, compare)) run.sort(compare);
    for (let step = 0; step < shortRun; step += 1) if (slices.isOver()) await slices.next();
  }
  for (let width = shortRun; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      if (middle >= end || compare(from[middle - 1] as number, from[middle] as number) <= 0) {
        to.set(from.subarray(start, end), start);
        continue;
      }
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        const takesLeft =
          left < middle &&
          (right >= end || compare(from[left] as number, from[right] as number) <= 0);
        to[at] = from[takesLeft ? left : right] as number;
        if (takesLeft) left += 1;
        else right += 1;
        if (slices.isOver()) await slices.next();
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

function isInOrder(run: Uint32Array, compare: (one: number, other: number) => number): boolean {
  for (let at = 1; at < run.length; at += 1) {
    if (compare(run[at - 1] as number, run[at] as number) > 0) return false;
  }
  return true;
}
