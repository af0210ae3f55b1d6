import { z } from 'zod';
import { catalogue } from '../catalogue.ts';
import { read } from './action.ts';
import { Refusal } from './refusal.ts';

const largestCount = 1000;
const entries = catalogue.map(({ entry }) => entry);

/** `count` is the size of the one page there is. @throws Refusal 400 unless it is a whole number from 1 to 1000. */
export const tldList = read(z.object({ count: z.int() }), ({ count }) => {
  if (count < 1 || count > largestCount) {
    throw Refusal.invalid(`The count field must be between 1 and ${largestCount}.`);
  }
  return { data: entries.slice(0, count), result: 'OK' };
});
