import type { Clock } from './clock.ts';
import { createSlices } from './slices.ts';

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
