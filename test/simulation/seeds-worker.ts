import { parentPort, workerData } from 'node:worker_threads';
import { plant } from './plant.ts';
import { unusedReplacements } from './replacements.ts';
import type { Share, Summary } from './seeds.ts';

// A thread of `seeds.ts`. The bug is planted before the first module of the gateway is loaded.

const { from, count, step, mutant, stopsAtFirst } = workerData as Share;
if (mutant) plant(mutant);

const { createSharedStore } = await import('./store.ts');
const { simulate } = await import('./simulate.ts');

const store = await createSharedStore();
const failed: Summary['failed'][number][] = [];
const counts: Record<string, number> = {};
const hashes: string[] = [];
for (let seed = from; seed < from + count * step; seed += step) {
  const outcome = await simulate(seed, store);
  hashes.push(outcome.hash);
  for (const [what, times] of outcome.counts) counts[what] = (counts[what] ?? 0) + times;
  if (outcome.violations.length > 0) failed.push({ seed, violations: outcome.violations });
  if (stopsAtFirst && failed.length > 0) break;
}
const unused = unusedReplacements();
const summary: Summary = { seeds: hashes.length, failed, counts, hashes, unused };
parentPort?.postMessage(summary);
