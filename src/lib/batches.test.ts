import { expect, test } from 'vitest';
import { createBatches } from './batches.ts';

function start(maxItems: number) {
  const batches: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const call = createBatches<string, string>(maxItems, async (items) => {
    batches.push(items);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return items.map((item) => item.toUpperCase());
  });
  return { call, batches, ends };
}

test('an item starts at once, and those that arrive in the meantime are the next batches', async () => {
  const { call, batches, ends } = start(2);
  const results = ['a', 'b', 'c', 'd'].map(call);

  expect(batches).toEqual([['a']]);
  ends[0]?.resolve();
  expect(await results[0]).toBe('A');
  await expect.poll(() => batches).toEqual([['a'], ['b', 'c']]);
  ends[1]?.resolve();
  expect(await Promise.all(results.slice(0, 3))).toEqual(['A', 'B', 'C']);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.resolve();
  expect(await results[3]).toBe('D');
});

test('a failure is that of its batch only', async () => {
  const { call, ends } = start(2);
  const results = Promise.allSettled(['a', 'b', 'c'].map(call));
  ends[0]?.reject(new Error('no'));
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.resolve();

  expect((await results).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});
