/** Whether tests run in their long form: `npm run test:long` sets `LONG=1`, `npm test` does not. */
export const isLong: boolean = process.env.LONG === '1';

/** Why `npm test` skips a test that takes long and whose promise another test protects too; null in the long form. */
export const whyNotShort: string | null = isLong ? null : 'only in npm run test:long';

/** A number of runs: the first in `npm test`, the second in `npm run test:long`. */
export const runs = (short: number, long: number): number => (isLong ? long : short);
