import { expect, test } from 'vitest';
import { StoredReads } from './stored-reads.ts';

test('the filters of a document read at most 5,000,000 rows, and those of the next update of a stream too', () => {
  const stored = new StoredReads({ monotonicMs: () => 0, wait: async () => undefined });
  const count = (slices: number) => {
    for (let slice = 0; slice < slices; slice += 1) stored.countSlice();
  };

  count(5_000);
  expect(() => count(1)).toThrow(
    expect.objectContaining({
      code: 'COST_LIMIT_EXCEEDED',
      message: expect.stringContaining('more than 5,000,000 rows of stored lists'),
    }),
  );
  stored.forget();
  expect(() => count(5_000)).not.toThrow();
});
