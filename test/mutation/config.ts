import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { features } from '../../src/features/index.ts';

/** A part of the product that `npm run mutate` measures separately. */
export interface Part {
  /** A file or folder. A file belongs to the part with the longest path that contains it. */
  readonly source: string;
  /** Folders, and patterns of test files, that count with the tests beside the sources of the part. */
  readonly tests: readonly string[];
}

const part = (source: string, ...tests: readonly string[]): Part => ({ source, tests });

const costs = 'src/modules/costs.test.ts';
const reads = 'src/scope/reads.test.ts';
const settings = 'src/modules/domain/settings.test.ts';
const lookups = 'test/graph/reads/lookups.test.ts';
const payloads = 'test/graph/writes/payload-domain.test.ts';
/** The whole graph, so that the fields of a module are built before the tests and their resolvers are covered. */
const fields = [costs, 'test/errors/members.test.ts'];
const closeToServer = ['src/server/graphql', 'test/server/{errors,input-path}.test.ts'];

export const parts: readonly Part[] = [
  part(
    'src/modules/purchase',
    ...fields,
    'test/graph/purchases/{one-purchase,purchase-reads}.test.ts',
    'test/graph/reads/odd-availability.test.ts',
  ),
  part(
    'src/modules/registration',
    ...['src/modules/purchase', ...fields, 'test/graph/purchases/registration*.test.ts'],
  ),
  part('src/modules/purchase-job', 'src/features/approval', 'src/features/order'),
  part('src/features/order', ...fields, 'test/graph/orders'),
  part('src/modules/job', 'test/graph/orders'),
  part(
    'src/modules/account-api',
    costs,
    'test/graph/writes/{account-token,account-writes,write-faults}.test.ts',
  ),
  part(
    'src/modules/availability',
    ...[costs, reads, lookups, 'src/modules/search/schema.test.ts'],
    'test/graph/reads/availability.test.ts',
  ),
  part('src/modules/contact', costs, reads, 'test/graph/reads/domain-values.test.ts'),
  part(
    'src/modules/domain',
    ...[costs, reads, lookups, payloads, 'src/modules/contact'],
    'test/graph/reads/domain-values.test.ts',
  ),
  part('src/features/bulk-change', 'test/graph/bulk-changes', ...fields),
  part('src/features/event', costs),
  part('src/features/webhook'),
  part('src/modules/mutation', payloads, 'src/modules/protection/test/protection.test.ts'),
  part(
    'src/modules/name-server',
    costs,
    settings,
    'src/modules/name-server/test/*name-servers.test.ts',
  ),
  part('src/features/portfolio', costs, reads),
  part('src/features/portfolio/list-index'),
  part('src/modules/protection', costs, settings, 'src/modules/protection/test/protection.test.ts'),
  part('src/modules/search', costs),
  part('src/modules/sync', costs, settings, 'src/modules/sync/test/sync.test.ts'),
  part(
    'src/modules/tld',
    ...[costs, lookups, 'src/modules/availability', 'test/graph/reads/tlds.test.ts'],
    'src/modules/registration/registration.test.ts',
  ),
  part('src/persistence', 'test/persistence'),
  part('src/persistence/postgres.ts', 'test/persistence/postgres{,-connections}.test.ts'),
  part('src/access', 'test/access'),
  part('src/kernel/money.ts'),
  part('src/kernel/secret.ts'),
  part('src/kernel/spend-limits.ts'),
  part('src/server/graphql/rules', ...closeToServer),
  part('src/server/graphql/compiled', 'src/server/graphql/{compiled,fast-path}.test.ts'),
  part('src/server/graphql', ...closeToServer),
  part('src/server/http', 'test/server/{drain,pages}.test.ts'),
  part('src/server/ui', 'test/server/pages.test.ts', 'test/playground/served.test.ts'),
  part(
    'src/schema/access.ts',
    ...['test/access', 'src/access', 'test/server'],
    ...['src/server/graphql', 'src/server/http', 'src/server/ui'],
  ),
  part('src/observability/log.ts', 'test/observability', 'src/observability'),
  part('src/config/tenants.ts', 'src/config'),
  part(
    'src/app/tenants.ts',
    ...['test/app', 'src/app', 'test/tenants', 'test/graph/orders/place-order.test.ts'],
  ),
  part(
    'src/app',
    ...['test/app', 'test/server/drain.test.ts', 'test/graph/orders/place-order.test.ts'],
  ),
  part('src/config', 'test/package/command-line.test.ts'),
  part('src/package', 'test/package/{command-line,create-gateway}.test.ts'),
  part('src/kernel', 'src/lib', 'src/modules/purchase/settlement-notifier.test.ts'),
  part('client', 'test/clients/followed-*.test.ts'),
  part('src/lib'),
  part('src/scope', 'src/modules'),
  part(
    'src/modules',
    ...['test/modules', lookups, payloads, 'src/modules/account-api/test/account-token.test.ts'],
    'test/graph/reads/{domain-calls,gateway-info,response-cache,tlds}.test.ts',
  ),
  part(
    'src/schema',
    ...[...fields, lookups, 'test/errors/upstream-codes.test.ts'],
    ...[
      'src/features/portfolio/test/lists.test.ts',
      'src/features/supergraph/test/entities.test.ts',
    ],
  ),
  part(
    'src/features/supergraph',
    'src/features/supergraph/test/{entities,prefix,standalone}.test.ts',
  ),
  part('src/observability', ...['test/observability', 'src/server/http/request-observer.test.ts']),
  part('src/server', 'test/server', 'test/errors'),
  part('src/upstream'),
  part(
    'src/upstream/client',
    'src/upstream/domain-api/{abort,invalidation}.test.ts',
    'src/upstream/wire/error-codes.test.ts',
    'src/upstream/policies/login-pause.test.ts',
    'src/upstream/{policies,redaction,requests}.test.ts',
  ),
  part(
    'src/upstream/policies',
    ...['src/upstream/client/gate.test.ts', 'src/upstream/policies.test.ts'],
  ),
  part(
    'src/upstream/wire',
    'src/upstream/{account-api/account-shapes,domain-api/shapes}.test.ts',
    'src/upstream/{decoders,client/receiver}.test.ts',
  ),
  part('sandbox', 'test/sandbox', 'test/referee'),
  ...features.map(({ name }) => part(`src/features/${name}`)),
];

/** Programs, because a mutation run starts no process, and files with types and rows only. */
export const unmeasured: readonly string[] = [
  ...['src/cli', 'src/console', 'src/main.ts', 'src/seam', 'src/features/index.ts'],
];

/** The lists of careless changes. */
export const carelessFiles = ['test/mutation/careless/*.yaml', 'src/features/*/test/careless.yaml'];

const longestFirst = parts.toSorted((a, b) => b.source.length - a.source.length);

export const partOf = (file: string): Part | undefined =>
  longestFirst.find(({ source }) => file === source || file.startsWith(`${source}/`));

/**
 * Files of the folders above that do not count: they take more than about a second, start processes, which run other code
 * than the mutated module, or register a tracer for the whole process, which works only once.
 */
export const slowTests: readonly string[] = [
  'test/access/{made-keys,own-purchases,scopes}.test.ts',
  'test/errors/{nothing-leaks,top-level}.test.ts',
  'test/graph/bulk-changes/change-{faults,many}.test.ts',
  'test/graph/orders/waiting-lines.test.ts',
  'src/features/mcp/test/stdio.test.ts',
  'src/features/{event,webhook}/{interleavings,sequences}.test.ts',
  'test/observability/watched.test.ts',
  'test/persistence/{postgres,postgres-connections,spending-property,sqlite-processes}.test.ts',
  'test/referee/killed.test.ts',
  'test/sandbox/gateway-latency.test.ts',
  'test/server/{both-paths,cost-limit,overload,persisted-documents}.test.ts',
  'test/server/{process,rule-order,stream-limit}.test.ts',
  'src/features/export/test/slow-client.test.ts',
  'src/server/graphql/compiled.test.ts',
  'test/replicas/{bounds,replicas}.test.ts',
  'test/tenants/{interleavings,tenants}.test.ts',
  'src/upstream/{mutations,odd-replies,client/idle-sockets,wire/row-reader}.test.ts',
];

/** The test files of a part. A pattern of files includes slow ones, a folder does not. */
export const testFilesOf = ({ source, tests }: Part): readonly string[] =>
  [source.endsWith('.ts') ? dirname(source) : source, ...tests].flatMap((path) =>
    path.endsWith('.ts')
      ? globSync(path)
      : globSync(`${path}/**/*.test.ts`, { exclude: ['**/node_modules', ...slowTests] }),
  );

/** Options of Stryker that are the same for every part. */
export const strykerOptions = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/ignore-prose.ts'],
  ignorers: ['prose'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // A mutant in code that runs once per import needs a new import for each mutant.
  ignoreStatic: true,
  incremental: true,
  // TypeScript 7 has no API for JavaScript. `npm run types` checks the types.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  // Not below node_modules, where Node strips no types.
  tempDirName: '.mutation',
  ignorePatterns: ['/dist', '/dist-*', '/data', '/coverage', '/bench'],
  concurrency: 1,
  // A mutant that makes a test wait for a timeout of its own is found late on a busy machine.
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 15,
  reporters: ['progress-append-only', 'json'],
};
