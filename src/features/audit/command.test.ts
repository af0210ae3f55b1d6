import { expect, test } from 'vitest';
import { reportOf } from './command.ts';

const hash = 'a'.repeat(64);
const old = ' Those up to position 3 were deleted because of their age.';
const intact = { position: 9, hash, deletedUntil: 0, flaw: null };
const flaw = { position: 4, reason: 'is missing' };

test.each([
  [intact, true, `is intact: 9 rows up to position 9, with the hash ${hash}.`],
  [
    { ...intact, deletedUntil: 3 },
    ...([true, `is intact: 6 rows up to position 9, with the hash ${hash}.${old}`] as const),
  ],
  [{ ...intact, position: 0, hash: '' }, true, 'has no row.'],
  [{ ...intact, flaw }, false, 'is not intact: the row at position 4 is missing.'],
  [
    { ...intact, deletedUntil: 3, flaw },
    ...([false, `is not intact: the row at position 4 is missing.${old}`] as const),
  ],
])('the report of %j is intact: %s', (check, isIntact, text) => {
  const expected = { isIntact, text: `The audit log of acme ${text}` };

  expect(reportOf('acme', check, undefined)).toEqual(expected);
  expect(reportOf('acme', check, { position: 3, hash })).toEqual(expected);
});

test('a known row that was deleted because of its age is no success', () => {
  const known = { position: 2, hash };

  expect(() => reportOf('acme', { ...intact, deletedUntil: 3 }, known)).toThrow(
    `The row at position 2 cannot be compared.${old}`,
  );
});
