import { expect, test } from 'vitest';
import { createHealth } from '../../src/app/health.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { systemClock } from '../../src/lib/system.ts';

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
