import { expect, test } from 'vitest';
import { itemsOf } from './pages.ts';

test('other work runs between the pages of a long list', async () => {
  let nowMs = 0;
  let turns = 0;
  const clock = {
    monotonicMs: () => nowMs,
    async wait() {
      turns += 1;
    },
  };
  const all = Array.from({ length: 250 }, (_, at) => at);
  const readPage = async ({ limit, after = -1 }: { limit: number; after: number | undefined }) => {
    // As long as a statement takes.
    nowMs += 10;
    return all.slice(after + 1, after + 1 + limit);
  };

  const items: number[] = [];
  for await (const one of itemsOf(clock, readPage)) items.push(one);

  expect(items).toEqual(all);
  expect(turns).toBe(3);
});
