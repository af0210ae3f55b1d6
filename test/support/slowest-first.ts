import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, the slowest first. A name that no longer exists does no harm. */
const slowest: readonly string[] = [
  'processes/killed-gateway',
  'processes/replicas',
  'persistence/postgres',
  'graph/writes/lost-answers',
  'playground/in-browser',
  'simulation/mutants',
  'simulation/simulation',
  'processes/demo',
  'graph/reads/search-calls',
  'docs/commands',
  'docs/sandbox',
  'soak/soak',
  'processes/rolling-restarts',
  'server/process',
  'persistence/sqlite',
  'graph/reads/portfolio-long',
  'playground/examples',
  'simulation/crash-points',
  'bench/guard',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? slowest.length : at;
};

/** Starts the slowest test files first, so that no worker runs one of them alone at the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
