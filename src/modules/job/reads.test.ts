import { expect, test } from 'vitest';
import { account, minute } from '../../../test/persistence/claims.ts';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import type { ItemGroup } from '../../persistence/job-items.ts';
import type { JobItem } from '../../persistence/job-record.ts';
import { StoredReads } from '../../scope/reads.ts';
import { createJobReads } from './reads.ts';

const group = (state: ItemGroup['state']) => [{ state, outcome: null, purchase: null }];

/** The reads of one request over jobs with these numbers of items; `parts` has the pages of the journal. */
function createReads(sizes: Readonly<Record<string, number>>) {
  const { clock } = createSimulatedClock();
  const parts: [jobId: string, after: number, limit: number][] = [];
  const page = async (
    jobId: string,
    { after, limit, groups }: { after: number; limit: number; groups?: readonly ItemGroup[] },
  ) => {
    parts.push([jobId, after, limit]);
    const last = Math.min(sizes[jobId] ?? 0, after + 1 + limit);
    const positions = Array.from(
      { length: Math.max(0, last - after - 1) },
      (_, at) => after + 1 + at,
    );
    const state = groups?.[0]?.state ?? 'any';
    return positions.map((position) => ({ jobId, position, state }) as unknown as JobItem);
  };
  const journal = { jobs: { page } } as never;
  const reads = createJobReads(
    { journal, clock: { now: () => minute(0) }, account },
    new StoredReads(clock),
  );
  const read = async (jobId: string, request: Parameters<typeof reads.page>[1]) =>
    reads.page(jobId, request, async (items) =>
      items.map(({ position, state }) => `${jobId} ${position} ${state}`),
    );
  return { parts, read };
}

test('each page of a request is read once, and pages that differ in the job, the place, the length or the states are others', async () => {
  const { parts, read } = createReads({ one: 3, two: 3 });

  const pages = await Promise.all([
    read('one', { limit: 1 }),
    read('one', { limit: 1 }),
    read('two', { limit: 1 }),
    read('one', { limit: 1, after: 0 }),
    read('one', { limit: 2 }),
    read('one', { limit: 1, groups: group('HELD') }),
    read('one', { limit: 1, groups: group('WAITING') }),
  ]);

  expect(pages).toEqual([
    ['one 0 any'],
    ['one 0 any'],
    ['two 0 any'],
    ['one 1 any'],
    ['one 0 any', 'one 1 any'],
    ['one 0 HELD'],
    ['one 0 WAITING'],
  ]);
  expect(parts).toHaveLength(6);
});

test('a long page is read in parts of 250 items, until its length or the end', async () => {
  const { parts, read } = createReads({ long: 600, short: 260 });

  expect(await read('long', { limit: 500 })).toHaveLength(500);
  expect(await read('short', { limit: 500 })).toHaveLength(260);
  expect(parts).toEqual([
    ['long', -1, 250],
    ['long', 249, 250],
    ['short', -1, 250],
    ['short', 249, 250],
  ]);
});
