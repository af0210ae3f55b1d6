import { expect, test } from 'vitest';
import { failedNotes } from '../with/mcp.ts';

test('the failed domains of a change that are not shown are counted', () => {
  expect(failedNotes(12, 10)).toEqual([
    '"items" has the first 10 of 12 domains that failed or are unknown.',
  ]);
  expect(failedNotes(10, 10)).toEqual([]);
});
