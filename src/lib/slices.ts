import type { Clock } from './clock.ts';

/** Long work runs this long at a time; other requests run in between. */
const sliceMs = 0.5;

export type Slices = ReturnType<typeof createSlices>;
export type SliceClock = Pick<Clock, 'monotonicMs' | 'wait'>;

/** Divides long work into slices: `if (slices.isOver()) await slices.next()`, every 10 µs or so. */
export function createSlices(clock: SliceClock) {
  let endsMs = clock.monotonicMs() + sliceMs;
  return {
    isOver: () => clock.monotonicMs() >= endsMs,
    async next(): Promise<void> {
      await clock.wait(0);
      endsMs = clock.monotonicMs() + sliceMs;
    },
  };
}

/** Reads of a list run one after the other, and other work runs in between. */
export class Turns {
  readonly #slices: Slices;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: SliceClock) {
    this.#slices = createSlices(clock);
  }

  /** Reads after the reads before. `read` must not wait for another read of this object. */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      if (this.#slices.isOver()) await this.#slices.next();
      return read();
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The items in parts of at most `size`. */
export function* parts<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Characters that are sent together. */
const partLength = 16_384;

/** Lines in parts of about 16 KB. They are made while the parts are read, and other requests run in between. */
export async function* inParts(
  lines: Iterable<string> | AsyncIterable<string>,
  clock: Pick<Clock, 'monotonicMs' | 'wait'>,
): AsyncGenerator<string, void> {
  const slices = createSlices(clock);
  let part = '';
  for await (const line of lines) {
    part += line;
    if (part.length >= partLength) {
      yield part;
      part = '';
    }
    if (slices.isOver()) await slices.next();
  }
  yield part;
}
