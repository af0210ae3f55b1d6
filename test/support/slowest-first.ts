import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, the slowest first. A name that no longer exists does no harm. */
const slowest: readonly string[] = [
  'simulation/simulation',
  'processes/rolling-restarts',
  'processes/killed-at-points',
  'processes/killed-at-random',
  'processes/killed-order',
  'package/packed',
  'processes/replicas',
  'playground/in-browser',
  'playground/accessibility',
  'playground/approvals-page',
  'processes/demo',
  'soak/soak',
  'graph/reads/search-calls',
  'persistence/sqlite',
  'export/test/slow-client',
  'clients/typed-client',
  'graph/writes/lost-replies',
  'mcp/test/purchases',
  'docs/sandbox',
  'graph/orders/waiting-lines',
  'graph/events/domain-events',
  'server/process',
  'access/made-keys',
  'playground/examples',
  'bench/guard',
  'long-lists',
  'processes/three-machines',
  'simulation/crash-points',
  'simulation/mutants',
  'persistence/postgres',
  'persistence/postgres-connections',
  'graph/purchases/journal-failures',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at === -1 ? slowest.length : at;
};

/** Starts the slowest test files first, so that no worker runs one of them alone at the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
