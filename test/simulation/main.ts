import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import { plant } from './plant.ts';
import { runSeeds } from './seeds.ts';

// npm run simulate -- --seeds 1000000          many runs, each of a seed of its own
// npm run simulate -- --from 7 --step 40       every fortieth seed: those with a portfolio
// npm run simulate -- --seed 4711              one run, printed line by line
// npm run simulate -- --mutant no-quiet-window with a bug planted, until a seed finds it
// npm run simulate -- --mutants                the first seed that finds each bug, written to mutant-seeds.json

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    from: { type: 'string', default: '1' },
    step: { type: 'string', default: '1' },
    seed: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
});
const print = (text: string) => void process.stdout.write(`${text}\n`);
const { mutant } = values;
const withMutant = mutant ? ` --mutant ${mutant}` : '';

if (values.mutants) await findMutants();
else if (values.seed === undefined) await runMany();
else await runOne(Number(values.seed));

async function runMany(): Promise<void> {
  const startedMs = performance.now();
  const summary = await runSeeds({
    from: Number(values.from),
    count: Number(values.seeds),
    step: Number(values.step),
    threads: Number(values.threads),
    stopsAtFirst: mutant !== undefined,
    ...(mutant && { mutant }),
    onProgress: (done) => process.stderr.isTTY && process.stderr.write(`\r${done} seeds`),
  });
  const seconds = (performance.now() - startedMs) / 1000;
  process.stderr.write('\r');
  for (const [what, times] of Object.entries(summary.counts).sort()) {
    print(`${String(times).padStart(12)}  ${what}`);
  }
  for (const { seed, violations } of summary.failed) {
    print(`\nSeed ${seed} broke a promise:\n  ${violations.join('\n  ')}`);
    print(`  npm run simulate -- --seed ${seed}${withMutant}`);
  }
  const { seeds, failed } = summary;
  print(`\n${seeds} seeds in ${seconds.toFixed(1)} s, ${failed.length} failed.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function findMutants(): Promise<void> {
  const seeds: Record<string, number> = {};
  for (const { name } of mutants) {
    const { failed } = await runSeeds({
      from: 1,
      count: Number(values.seeds),
      threads: 1,
      mutant: name,
      stopsAtFirst: true,
    });
    const seed = failed[0]?.seed;
    print(`${name}: ${seed ?? 'not found'}`);
    if (seed === undefined) process.exitCode = 1;
    else seeds[name] = seed;
  }
  writeFileSync(
    new URL('mutant-seeds.json', import.meta.url),
    `${JSON.stringify(seeds, null, 2)}\n`,
  );
}

async function runOne(seed: number): Promise<void> {
  if (mutant) plant(mutant);
  const { createSharedStore } = await import('./store.ts');
  const { simulate } = await import('./simulate.ts');
  const { lines, violations, hash } = await simulate(seed, await createSharedStore(), true);
  print(lines.join('\n'));
  print(`\nSeed ${seed}, trace ${hash}`);
  print(violations.length > 0 ? violations.join('\n') : 'No promise was broken.');
  process.exitCode = violations.length > 0 ? 1 : 0;
}
