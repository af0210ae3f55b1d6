import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { print, printProgress, readArguments } from '../../src/console/program.ts';
import { approvalMutants } from './approval-mutants.ts';
import { mutants } from './mutants.ts';
import { paymentMutants } from './payment-mutants.ts';
import { plant } from './plant.ts';
import { portfolioMutants } from './portfolio-mutants.ts';
import type { Mutant } from './replacements.ts';
import { runSeeds } from './seeds.ts';

const help = `Runs purchases on simulated clocks, network and store, and checks the promises.

Usage: npm run simulate -- [options]

  --seeds N      Runs N seeds; default 20000.
  --from N       The first seed; default 1.
  --step N       The difference between two seeds; default 1. --from 7 --step 40: seeds with a portfolio,
                 --from 33 --step 40: seeds whose costs rise.
                 Negative seeds have one in a short run: --from=-20 --seeds 20.
                 From 1000000 on purchases and bulk changes need approvals.
                 From 2000000 on orders are paid.
  --threads N    Default: one per core.
  --seed N       Runs one seed and prints it line by line.
  --mutant NAME  Plants a bug of mutants.ts; with --seeds until a seed finds it.
  --mutants      Writes the first seed that finds each bug to mutant-seeds.json.
`;

const { values } = readArguments('simulate', help, {
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
    onProgress: (done) => printProgress(`${done} of ${values.seeds} seeds`),
  });
  const seconds = (performance.now() - startedMs) / 1000;
  printProgress('');
  for (const [what, times] of Object.entries(summary.counts).sort()) {
    print(`${String(times).padStart(12)}  ${what}`);
  }
  for (const { seed, violations } of summary.failed) {
    print(`\nSeed ${seed} broke a promise:\n  ${violations.join('\n  ')}`);
    print(`  npm run simulate -- --seed=${seed}${withMutant}`);
  }
  const { seeds, failed } = summary;
  print(`\n${seeds} seeds in ${seconds.toFixed(1)} s, ${failed.length} failed.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function findMutants(): Promise<void> {
  const has = (bugs: readonly Mutant[], name: string) => bugs.some((bug) => bug.name === name);
  const firstSeedOf = (name: string) => {
    // The short runs with a portfolio find its bugs first.
    if (has(portfolioMutants, name)) return -500;
    if (has(paymentMutants, name)) return 2_000_000;
    return has(approvalMutants, name) ? 1_000_000 : 1;
  };
  const seeds: Record<string, number> = {};
  for (const { name } of mutants) {
    const { failed } = await runSeeds({
      from: firstSeedOf(name),
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
