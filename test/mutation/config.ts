/** A part of the product that `npm run mutate` measures separately. */
export interface Part {
  /** A file or folder. A file belongs to the part with the longest path that contains it. */
  readonly source: string;
  /** Test files and folders that count, with the tests beside the sources of the part. */
  readonly tests: readonly string[];
}

const closeToServer = [
  'src/server/graphql',
  'test/server/errors.test.ts',
  'test/server/input-path.test.ts',
  'src/server/graphql/one-purchase.test.ts',
];
/** The whole graph, so that the fields of a module are built before the tests and their resolvers are covered. */
const fields = ['src/modules/costs.test.ts', 'test/errors/members.test.ts'];

export const parts: readonly Part[] = [
  {
    source: 'src/modules/purchase',
    tests: [
      ...fields,
      'test/graph/purchases/one-purchase.test.ts',
      'test/graph/purchases/purchase-reads.test.ts',
      'test/graph/reads/odd-availability.test.ts',
    ],
  },
  {
    source: 'src/modules/registration',
    tests: [
      'src/modules/purchase',
      ...fields,
      'test/graph/purchases/registration.test.ts',
      'test/graph/purchases/registration-refusals.test.ts',
    ],
  },
  { source: 'src/modules/order', tests: [...fields, 'test/graph/orders'] },
  { source: 'src/modules/job', tests: ['test/graph/orders'] },
  {
    source: 'src/modules/account-api',
    tests: [
      'test/graph/orders/cart-from-quote.test.ts',
      'test/graph/writes/write-faults.test.ts',
      'src/modules/costs.test.ts',
      'test/graph/writes/account-writes.test.ts',
      'test/graph/writes/account-token.test.ts',
    ],
  },
  {
    source: 'src/modules/availability',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/search/schema.test.ts',
      'src/modules/loaders.test.ts',
      'test/graph/reads/availability.test.ts',
      'test/graph/reads/lookups.test.ts',
    ],
  },
  {
    source: 'src/modules/contact',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/loaders.test.ts',
      'test/graph/reads/domain-values.test.ts',
    ],
  },
  {
    source: 'src/modules/domain',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/contact',
      'src/modules/loaders.test.ts',
      'test/graph/reads/domain-values.test.ts',
      'test/graph/reads/lookups.test.ts',
      'test/graph/writes/payload-domain.test.ts',
    ],
  },
  { source: 'src/modules/bulk-change', tests: ['test/graph/bulk-changes', ...fields] },
  { source: 'src/modules/event', tests: ['src/modules/costs.test.ts'] },
  { source: 'src/modules/webhook', tests: ['test/graph/webhooks'] },
  { source: 'src/outbound', tests: [] },
  {
    source: 'src/modules/export',
    tests: ['test/server/export/files.test.ts', 'test/server/export/access.test.ts'],
  },
  {
    source: 'src/modules/mutation',
    tests: ['test/graph/writes/payload-domain.test.ts', 'test/graph/writes/protection.test.ts'],
  },
  {
    source: 'src/modules/name-server',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/domain/settings.test.ts',
      'test/graph/writes/child-name-servers.test.ts',
      'test/graph/writes/name-servers.test.ts',
    ],
  },
  {
    source: 'src/modules/portfolio',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/loaders.test.ts',
      'test/graph/reads/long-lists.test.ts',
      'test/graph/reads/portfolio-ledger.test.ts',
    ],
  },
  { source: 'src/modules/portfolio/index', tests: [] },
  {
    source: 'src/modules/protection',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/domain/settings.test.ts',
      'test/graph/writes/protection.test.ts',
    ],
  },
  { source: 'src/modules/search', tests: ['src/modules/costs.test.ts'] },
  {
    source: 'src/modules/sync',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/domain/settings.test.ts',
      'test/graph/writes/sync.test.ts',
    ],
  },
  {
    source: 'src/modules/tld',
    tests: [
      'src/modules/costs.test.ts',
      'src/modules/availability',
      'src/modules/registration/registration.test.ts',
      'test/graph/reads/lookups.test.ts',
      'test/graph/reads/tlds.test.ts',
    ],
  },
  { source: 'src/persistence', tests: ['test/persistence'] },
  {
    source: 'src/persistence/postgres.ts',
    tests: ['test/persistence/postgres.test.ts', 'test/persistence/postgres-connections.test.ts'],
  },
  { source: 'src/access', tests: ['test/access'] },
  { source: 'src/kernel/money.ts', tests: [] },
  { source: 'src/kernel/secret.ts', tests: [] },
  { source: 'src/kernel/spend-limits.ts', tests: [] },
  { source: 'src/server/mcp', tests: ['test/mcp'] },
  { source: 'src/server/mcp/tools/purchase-token.ts', tests: ['test/mcp', 'src/server/mcp/tools'] },
  { source: 'src/server/graphql/errors', tests: [...closeToServer] },
  { source: 'src/server/graphql/rules', tests: [...closeToServer] },
  {
    source: 'src/server/graphql/compiled',
    tests: ['src/server/graphql/compiled.test.ts', 'src/server/graphql/fast-path.test.ts'],
  },
  { source: 'src/server/graphql', tests: [...closeToServer] },
  { source: 'src/server/http', tests: ['test/server/drain.test.ts', 'test/server/pages.test.ts'] },
  {
    source: 'src/server/ui',
    tests: ['test/server/ui', 'test/server/pages.test.ts', 'test/playground/served.test.ts'],
  },
  {
    source: 'src/schema/access.ts',
    tests: [
      'test/access',
      'src/access',
      'test/server',
      'src/server/graphql',
      'src/server/http',
      'src/server/ui',
    ],
  },
  { source: 'src/observability/log.ts', tests: ['test/observability', 'src/observability'] },
  {
    source: 'src/observability/standard-error.ts',
    tests: ['test/observability', 'src/observability'],
  },
  { source: 'src/config/tenants.ts', tests: ['src/config'] },
  {
    source: 'src/app/tenants.ts',
    tests: ['test/app', 'src/app', 'test/tenants', 'test/graph/orders/place-order.test.ts'],
  },
  {
    source: 'src/app',
    tests: ['test/app', 'test/server/drain.test.ts', 'test/graph/orders/place-order.test.ts'],
  },
  { source: 'src/config', tests: ['test/package/command-line.test.ts'] },
  {
    source: 'src/package',
    tests: ['test/package/command-line.test.ts', 'test/package/create-gateway.test.ts'],
  },
  {
    source: 'src/kernel',
    tests: ['src/lib', 'src/modules/purchase/settlement-notifier.test.ts'],
  },
  {
    source: 'client',
    tests: ['test/clients/followed-events.test.ts', 'test/clients/followed-purchases.test.ts'],
  },
  { source: 'src/lib', tests: [] },
  {
    source: 'src/modules',
    tests: [
      'test/modules',
      'test/graph/reads/gateway-info.test.ts',
      'test/graph/reads/lookups.test.ts',
      'test/graph/reads/tlds.test.ts',
      'test/graph/reads/response-cache.test.ts',
      'test/graph/reads/domain-calls.test.ts',
      'test/graph/writes/account-token.test.ts',
      'test/graph/writes/payload-domain.test.ts',
    ],
  },
  {
    source: 'src/schema',
    tests: [
      'src/modules/costs.test.ts',
      'test/errors/members.test.ts',
      'test/errors/upstream-codes.test.ts',
      'test/supergraph/entities.test.ts',
      'test/graph/reads/lookups.test.ts',
      'test/graph/reads/domain-lists.test.ts',
    ],
  },
  {
    source: 'src/supergraph',
    tests: [
      'test/supergraph/entities.test.ts',
      'test/supergraph/prefix.test.ts',
      'test/supergraph/standalone.test.ts',
    ],
  },
  {
    source: 'src/observability',
    tests: ['test/observability', 'src/server/http/request-observer.test.ts'],
  },
  { source: 'src/server', tests: ['test/server', 'test/errors'] },
  { source: 'src/shared-state', tests: ['test/shared-state'] },
  { source: 'src/upstream', tests: [] },
  {
    source: 'src/upstream/client',
    tests: [
      'src/upstream/domain-api/abort.test.ts',
      'src/upstream/wire/error-codes.test.ts',
      'src/upstream/domain-api/invalidation.test.ts',
      'src/upstream/policies/login-pause.test.ts',
      'src/upstream/policies.test.ts',
      'src/upstream/redaction.test.ts',
      'src/upstream/requests.test.ts',
    ],
  },
  {
    source: 'src/upstream/policies',
    tests: ['src/upstream/client/gate.test.ts', 'src/upstream/policies.test.ts'],
  },
  {
    source: 'src/upstream/wire',
    tests: [
      'src/upstream/account-api/account-shapes.test.ts',
      'src/upstream/decoders.test.ts',
      'src/upstream/client/receiver.test.ts',
      'src/upstream/domain-api/shapes.test.ts',
    ],
  },
  { source: 'sandbox', tests: ['test/sandbox', 'test/referee'] },
];

/** Programs. Only processes run them, and a mutation run starts none. */
export const unmeasured: readonly string[] = ['src/cli', 'src/main.ts'];

const longestFirst = parts.toSorted((a, b) => b.source.length - a.source.length);

export const partOf = (file: string): Part | undefined =>
  longestFirst.find(({ source }) => file === source || file.startsWith(`${source}/`));

/**
 * Files of the folders above that do not count: they take more than about a second, start processes, which run other code
 * than the mutated module, or register a tracer for the whole process, which works only once.
 */
export const slowTests: readonly string[] = [
  'test/access/made-keys.test.ts',
  'test/access/own-purchases.test.ts',
  'test/access/scopes.test.ts',
  'test/errors/nothing-leaks.test.ts',
  'test/errors/top-level.test.ts',
  'test/graph/bulk-changes/change-faults.test.ts',
  'test/graph/bulk-changes/change-many.test.ts',
  'test/graph/orders/waiting-lines.test.ts',
  'test/mcp/stdio.test.ts',
  'src/modules/event/interleavings.test.ts',
  'src/modules/event/sequences.test.ts',
  'src/modules/webhook/interleavings.test.ts',
  'test/observability/watched.test.ts',
  'test/persistence/postgres-connections.test.ts',
  'test/persistence/postgres.test.ts',
  'test/persistence/spending-property.test.ts',
  'test/persistence/sqlite-processes.test.ts',
  'test/referee/killed.test.ts',
  'test/sandbox/gateway-latency.test.ts',
  'test/server/both-paths.test.ts',
  'test/server/cost-limit.test.ts',
  'test/server/export/slow-client.test.ts',
  'src/server/graphql/compiled.test.ts',
  'test/server/overload.test.ts',
  'test/server/persisted-documents.test.ts',
  'test/server/process.test.ts',
  'test/server/rule-order.test.ts',
  'test/server/stream-limit.test.ts',
  'test/shared-state/bounds.test.ts',
  'test/shared-state/replicas.test.ts',
  'test/tenants/interleavings.test.ts',
  'test/tenants/tenants.test.ts',
  'src/upstream/client/idle-sockets.test.ts',
  'src/upstream/mutations.test.ts',
  'src/upstream/odd-replies.test.ts',
  'src/upstream/wire/row-reader.test.ts',
];

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
