import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runs } from '../support/long.ts';
import { mutants } from './mutants.ts';
import { replacementOf } from './replacements.ts';
import { runSeeds } from './seeds.ts';

const maxSeeds = 1_000;
/** The first seed that finds each bug. A seed that no longer finds it costs time only: the seeds after it follow. */
const known: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('mutant-seeds.json', import.meta.url), 'utf8'),
);

test('there are at least 14 planted bugs, and the functions that each replaces exist', async () => {
  expect(mutants.length).toBeGreaterThanOrEqual(14);
  for (const replacement of mutants.flatMap(({ replacements }) => replacements)) {
    const module = await import(/* @vite-ignore */ `../../${replacement.path}`);
    expect(() => replacementOf(replacement, module)).not.toThrow();
  }
});

describe(`the simulation finds within ${maxSeeds} seeds the planted bug`, () => {
  // A thread that loads the gateway with a bug costs half a second of CPU time.
  const planted = mutants.filter((_, at) => at % runs(48, 1) === 0);
  test.each(planted.map(({ name }) => name))('%s', { timeout: 900_000 }, async (mutant) => {
    const { failed, unused } = await runSeeds({
      from: known[mutant] ?? 1,
      count: maxSeeds,
      threads: 1,
      mutant,
      stopsAtFirst: true,
    });

    const reason = unused.map((what) => `The gateway never calls ${what}, which the bug replaces.`);
    expect(failed.length, reason.join(' ')).toBeGreaterThan(0);
  });
});
