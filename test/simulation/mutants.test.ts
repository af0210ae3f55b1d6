import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { mutate } from './plant.ts';
import { runSeeds } from './seeds.ts';

const threads = availableParallelism();
const mostSeeds = 1_000;

describe(`a bug that is planted is found within ${mostSeeds} seeds`, () => {
  test('there are at least 14, and each has a place in the code of today', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(14);
    for (const { edits } of mutants) {
      for (const edit of edits) {
        const source = readFileSync(new URL(`../../${edit.file}`, import.meta.url), 'utf8');
        expect(mutate(source, edit)).not.toBe(source);
      }
    }
  });

  test.each(mutants.map(({ name }) => name))('%s', { timeout: 120_000 }, async (mutant) => {
    const { failed } = await runSeeds({
      from: 1,
      count: mostSeeds,
      threads,
      mutant,
      stopsAtFirst: true,
    });

    expect(failed.length).toBeGreaterThan(0);
  });
});
