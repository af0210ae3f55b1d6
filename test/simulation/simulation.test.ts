import { expect, test } from 'vitest';
import { runs } from '../support/long.ts';
import { runSeeds } from './seeds.ts';

const threads = runs(1, 2);

/** The commands that print the failed runs. */
const commands = (
  failed: readonly { readonly seed: number; readonly violations: readonly string[] }[],
) => failed.map(({ seed, violations }) => `npm run simulate -- --seed ${seed}: ${violations[0]}`);

/** The short form has every kind of fault and of end from this seed on. */
const firstSeed = 121;
const schedules = runs(80, 6_000);

test(`no promise is broken in ${schedules} schedules, and every kind of fault occurs`, {
  timeout: runs(240_000, 1_500_000),
}, async () => {
  const { seeds, failed, counts } = await runSeeds({ from: firstSeed, count: schedules, threads });

  expect(commands(failed)).toEqual([]);
  expect(seeds).toBe(schedules);
  for (const what of [
    'crash',
    'pause',
    'clock set',
    'ended SUCCEEDED',
    'ended FAILED',
    'replayed',
  ]) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / 20);
  }
  for (const what of ['orders placed', 'orders replayed', 'orders cancelled', 'lines sent']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / 40);
  }
  for (const what of ['line ended STOPPED', 'line ended CANCELLED', 'lines sent again']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / 200);
  }
  for (const what of ['jobs started', 'jobs cancelled', 'changes sent', 'changes sent again']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / 200);
  }
  for (const what of ['event DOMAIN_ADDED', 'event NAME_SERVERS_CHANGED', 'events received']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / 100);
  }
  for (const road of ['refused', 'reset', 'lostAnswer', 'late', 'cut', 'htmlBefore', 'twice']) {
    expect(counts[`write ${road}`] ?? 0, road).toBeGreaterThan(schedules / 200);
  }
  for (const what of ['event PURCHASE_SETTLED', 'source GATEWAY', 'viewed true']) {
    expect(counts[what] ?? 0, what).toBeGreaterThan(schedules / 1000);
  }
  expect(counts['read stale'] ?? 0).toBeGreaterThan(schedules / 20);
  expect(counts['ended UNKNOWN'] ?? 0).toBeGreaterThan(schedules / 1000);
});

const traced = runs(8, 100);
const shares = runs(2, 4);

test('a seed has one trace, in any thread and beside any other seeds', {
  timeout: runs(120_000, 600_000),
}, async () => {
  const once = await runSeeds({ from: 1, count: traced, threads: 1 });
  const count = traced / shares;
  const apart = await Promise.all(
    Array.from({ length: shares }, (_, at) =>
      runSeeds({ from: 1 + at * count, count, threads: 1 }),
    ),
  );

  expect(apart.flatMap(({ hashes }) => hashes)).toEqual(once.hashes);
  expect(new Set(once.hashes).size).toBe(traced);
});
