import { expect, test } from 'vitest';
import { createHealth } from '../../src/app/health.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { systemClock } from '../../src/lib/system.ts';
import { createSimulatedClock } from '../support/simulated-clock.ts';

test('concurrent readiness probes share one pending check of the journal', async () => {
  let nowMs = 0;
  let writes = 0;
  const written = Promise.withResolvers<void>();
  const health = createHealth({
    journal: {
      async checkWritable() {
        writes += 1;
        await written.promise;
      },
    },
    clock: { ...systemClock, monotonicMs: () => nowMs },
    upstreamStates: () => [],
    logins: () => [],
  });

  const probes = [0, 1_500, 3_000, 4_500].map((atMs) => {
    nowMs = atMs;
    return health.readiness();
  });
  written.reject(new Fault('JOURNAL_UNAVAILABLE'));

  expect(new Set(await Promise.all(probes))).toEqual(new Set(['The journal cannot be written.']));
  expect(writes).toBe(1);
  nowMs = 6_000;
  await health.readiness();
  expect(writes).toBe(2);
});

test('a journal that does not respond for two seconds is reported, and not earlier', async () => {
  const { clock, pass } = createSimulatedClock();
  const health = createHealth({
    journal: { checkWritable: () => new Promise(() => undefined) },
    clock,
    upstreamStates: () => [],
    logins: () => [],
  });
  let reported: string | null = 'nothing';
  void health.readiness().then((reason) => {
    reported = reason;
  });

  await pass(1_999);
  expect(reported).toBe('nothing');
  await pass(1);
  await pass(0);
  expect(reported).toBe('The journal does not respond.');
});

test('a check is reused for one second', async () => {
  let nowMs = 0;
  let writes = 0;
  const health = createHealth({
    journal: {
      async checkWritable() {
        writes += 1;
      },
    },
    clock: { ...systemClock, monotonicMs: () => nowMs },
    upstreamStates: () => [],
    logins: () => [],
  });

  const counts: number[] = [];
  for (const atMs of [0, 1_000, 1_001, 2_001, 2_002]) {
    nowMs = atMs;
    await health.readiness();
    counts.push(writes);
  }

  expect(counts).toEqual([1, 1, 2, 2, 3]);
});
