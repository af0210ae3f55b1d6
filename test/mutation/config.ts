/** A part of `src` that `npm run mutate` measures separately. */
export interface Part {
  /** A file or folder. A file belongs to the part with the longest path that contains it. */
  readonly source: string;
  /** Test files and folders next to the part. Only they count. */
  readonly tests: readonly string[];
}

const closeToServer = [
  'test/server/graphql',
  'test/server/errors.test.ts',
  'test/server/input-path.test.ts',
  'test/server/one-purchase.test.ts',
];
/** The whole graph, so that the fields of a module are built before the tests and their resolvers are covered. */
const fields = ['test/modules/costs.test.ts', 'test/errors/members.test.ts'];

export const parts: readonly Part[] = [
  {
    source: 'src/modules/purchase',
    tests: [
      'test/modules/purchase',
      ...fields,
      'test/graph/purchases/one-purchase.test.ts',
      'test/graph/purchases/purchase-reads.test.ts',
    ],
  },
  {
    source: 'src/modules/registration',
    tests: [
      'test/modules/registration',
      ...fields,
      'test/graph/purchases/registration-payload.test.ts',
      'test/graph/purchases/registration-refusals.test.ts',
    ],
  },
  {
    source: 'src/modules/order',
    tests: [
      'test/modules/order',
      'test/graph/orders/cart-from-quote.test.ts',
      'test/graph/orders/place-order.test.ts',
      ...fields,
    ],
  },
  {
    source: 'src/modules/placed-order',
    tests: ['test/modules/placed-order', 'test/graph/orders', ...fields],
  },
  {
    source: 'src/modules/job',
    tests: ['test/modules/job', 'test/graph/orders'],
  },
  {
    source: 'src/modules/quote',
    tests: ['test/modules/quote', ...fields, 'test/graph/reads/odd-availability.test.ts'],
  },
  {
    source: 'src/modules/account-api',
    tests: [
      'test/graph/orders/cart-from-quote.test.ts',
      'test/graph/writes/write-faults.test.ts',
      'test/modules/costs.test.ts',
      'test/graph/writes/account-writes.test.ts',
      'test/graph/writes/account-token.test.ts',
    ],
  },
  {
    source: 'src/modules/availability',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/availability',
      'test/modules/search/schema.test.ts',
      'test/modules/loaders.test.ts',
      'test/graph/reads/availability.test.ts',
      'test/graph/reads/lookups.test.ts',
    ],
  },
  {
    source: 'src/modules/contact',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/contact',
      'test/modules/loaders.test.ts',
      'test/graph/reads/domain-values.test.ts',
    ],
  },
  {
    source: 'src/modules/domain',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/contact',
      'test/modules/domain',
      'test/modules/loaders.test.ts',
      'test/graph/reads/domain-values.test.ts',
      'test/graph/reads/lookups.test.ts',
      'test/graph/writes/payload-domain.test.ts',
    ],
  },
  {
    source: 'src/modules/domain-change',
    tests: ['test/modules/domain-change', 'test/graph/domain-changes', ...fields],
  },
  {
    source: 'src/modules/event',
    tests: ['test/modules/event', 'test/modules/costs.test.ts'],
  },
  {
    source: 'src/modules/webhook',
    tests: ['test/modules/webhook', 'test/graph/webhooks'],
  },
  { source: 'src/outbound', tests: ['test/outbound'] },
  {
    source: 'src/modules/export',
    tests: [
      'test/modules/export',
      'test/server/export/files.test.ts',
      'test/server/export/access.test.ts',
    ],
  },
  {
    source: 'src/modules/mutation',
    tests: [
      'test/modules/mutation',
      'test/graph/writes/payload-domain.test.ts',
      'test/graph/writes/protection.test.ts',
    ],
  },
  {
    source: 'src/modules/name-server',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/domain/settings.test.ts',
      'test/modules/name-server',
      'test/graph/writes/child-name-servers.test.ts',
      'test/graph/writes/name-servers.test.ts',
    ],
  },
  {
    source: 'src/modules/portfolio',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/portfolio',
      'test/modules/loaders.test.ts',
      'test/graph/reads/long-lists.test.ts',
    ],
  },
  {
    source: 'src/modules/portfolio/index',
    tests: [
      'test/modules/portfolio/counts.test.ts',
      'test/graph/reads/portfolio-lists.test.ts',
      'test/graph/reads/portfolio-property.test.ts',
    ],
  },
  {
    source: 'src/modules/protection',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/domain/settings.test.ts',
      'test/graph/writes/protection.test.ts',
    ],
  },
  {
    source: 'src/modules/search',
    tests: ['test/modules/costs.test.ts', 'test/modules/search'],
  },
  {
    source: 'src/modules/sync',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/domain/settings.test.ts',
      'test/modules/sync',
      'test/graph/writes/sync.test.ts',
    ],
  },
  {
    source: 'src/modules/tracked-domain',
    tests: ['test/modules/costs.test.ts', 'test/graph/reads/portfolio-ledger.test.ts'],
  },
  {
    source: 'src/modules/tld',
    tests: [
      'test/modules/costs.test.ts',
      'test/modules/tld',
      'test/modules/availability',
      'test/modules/registration/registration.test.ts',
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
  { source: 'src/kernel/money.ts', tests: ['test/kernel'] },
  { source: 'src/kernel/secret.ts', tests: ['test/kernel'] },
  { source: 'src/kernel/spend-limits.ts', tests: ['test/kernel'] },
  { source: 'src/server/mcp', tests: ['test/mcp'] },
  { source: 'src/server/mcp/tools/purchase-token.ts', tests: ['test/mcp'] },
  { source: 'src/server/graphql/errors', tests: closeToServer },
  { source: 'src/server/graphql/rules', tests: closeToServer },
  {
    source: 'src/server/graphql/compiled',
    tests: ['test/server/graphql/compiled.test.ts', 'test/server/graphql/fast-path.test.ts'],
  },
  { source: 'src/server/graphql', tests: closeToServer },
  {
    source: 'src/server/http',
    tests: ['test/server/http', 'test/server/drain.test.ts', 'test/server/pages.test.ts'],
  },
  {
    source: 'src/server/ui',
    tests: ['test/server/ui', 'test/server/pages.test.ts', 'test/playground/served.test.ts'],
  },
  { source: 'src/schema/access.ts', tests: ['test/access', 'test/server'] },
  { source: 'src/observability/log.ts', tests: ['test/observability'] },
  { source: 'src/observability/standard-error.ts', tests: ['test/observability'] },
  { source: 'src/config/tenants.ts', tests: ['test/config'] },
  {
    source: 'src/app/tenants.ts',
    tests: ['test/app', 'test/tenants', 'test/graph/orders/place-order.test.ts'],
  },
  {
    source: 'src/app',
    tests: ['test/app', 'test/server/drain.test.ts', 'test/graph/orders/place-order.test.ts'],
  },
  {
    source: 'src/config',
    tests: ['test/config', 'test/package/command-line.test.ts'],
  },
  {
    source: 'src/package',
    tests: ['test/package/command-line.test.ts', 'test/package/create-gateway.test.ts'],
  },
  {
    source: 'src/kernel',
    tests: ['test/kernel', 'test/lib', 'test/modules/purchase/settlement-notifier.test.ts'],
  },
  {
    source: 'src/client',
    tests: [
      'test/clients/client-error.test.ts',
      'test/clients/followed-events.test.ts',
      'test/clients/followed-purchases.test.ts',
      'test/clients/pages.test.ts',
      'test/clients/requests.test.ts',
      'test/clients/resumed-streams.test.ts',
      'test/clients/subscriptions.test.ts',
    ],
  },
  { source: 'src/lib', tests: ['test/lib', 'test/kernel/system.test.ts'] },
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
      'test/schema',
      'test/modules/costs.test.ts',
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
    tests: ['test/observability', 'test/server/http/request-observer.test.ts'],
  },
  { source: 'src/server', tests: ['test/server', 'test/errors'] },
  { source: 'src/shared-state', tests: ['test/shared-state'] },
  { source: 'src/upstream', tests: ['test/upstream'] },
  {
    source: 'src/upstream/client',
    tests: [
      'test/upstream/abort.test.ts',
      'test/upstream/call.test.ts',
      'test/upstream/classify.test.ts',
      'test/upstream/deadlines.test.ts',
      'test/upstream/error-codes.test.ts',
      'test/upstream/gate.test.ts',
      'test/upstream/idle-sockets.test.ts',
      'test/upstream/invalidation.test.ts',
      'test/upstream/login-pause.test.ts',
      'test/upstream/policies.test.ts',
      'test/upstream/redaction.test.ts',
      'test/upstream/requests.test.ts',
      'test/upstream/transport.test.ts',
    ],
  },
  {
    source: 'src/upstream/policies',
    tests: [
      'test/upstream/batcher.test.ts',
      'test/upstream/concurrency.test.ts',
      'test/upstream/gate.test.ts',
      'test/upstream/login-pause.test.ts',
      'test/upstream/policies.test.ts',
      'test/upstream/policy-times.test.ts',
      'test/upstream/rate-limit.test.ts',
      'test/upstream/retry.test.ts',
    ],
  },
  {
    source: 'src/upstream/wire',
    tests: [
      'test/upstream/account-shapes.test.ts',
      'test/upstream/classify.test.ts',
      'test/upstream/decoders.test.ts',
      'test/upstream/error-codes.test.ts',
      'test/upstream/find-json.test.ts',
      'test/upstream/read.test.ts',
      'test/upstream/receiver.test.ts',
      'test/upstream/row-reader.test.ts',
      'test/upstream/row-scanner.test.ts',
      'test/upstream/shapes.test.ts',
      'test/upstream/upstream-text.test.ts',
    ],
  },
  { source: 'src/sandbox', tests: ['test/sandbox', 'test/referee'] },
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
  'test/abuse/abuse.test.ts',
  'test/access/made-keys.test.ts',
  'test/access/own-purchases.test.ts',
  'test/access/scopes.test.ts',
  'test/errors/nothing-leaks.test.ts',
  'test/errors/top-level.test.ts',
  'test/graph/domain-changes/change-faults.test.ts',
  'test/graph/domain-changes/change-many.test.ts',
  'test/graph/orders/waiting-lines.test.ts',
  'test/graph/purchases/hanging-read.test.ts',
  'test/graph/purchases/journal-failures.test.ts',
  'test/graph/purchases/quiet-window.test.ts',
  'test/graph/purchases/quotes-property.test.ts',
  'test/graph/purchases/settled-stream.test.ts',
  'test/graph/purchases/spellings.test.ts',
  'test/graph/purchases/spend-limits.test.ts',
  'test/graph/purchases/stop-switch.test.ts',
  'test/graph/purchases/transfer-end.test.ts',
  'test/graph/purchases/unknown-outcome.test.ts',
  'test/graph/purchases/upstream-refusals.test.ts',
  'test/graph/purchases/verified.test.ts',
  'test/graph/reads/availability.test.ts',
  'test/graph/reads/counted-calls.test.ts',
  'test/graph/reads/read-faults.test.ts',
  'test/graph/reads/availability-faults.test.ts',
  'test/graph/reads/odd-replies.test.ts',
  'test/graph/reads/portfolio-lists.test.ts',
  'test/graph/reads/long-lists.test.ts',
  'test/graph/reads/portfolio-property.test.ts',
  'test/graph/reads/portfolio-snapshot.test.ts',
  'test/graph/reads/reply-cache.test.ts',
  'test/graph/reads/response-cache.test.ts',
  'test/graph/reads/search-calls.test.ts',
  'test/graph/reads/search-faults.test.ts',
  'test/graph/reads/search.test.ts',
  'test/graph/reads/shared-calls.test.ts',
  'test/graph/upstream/breaker.test.ts',
  'test/graph/upstream/call-pauses.test.ts',
  'test/graph/upstream/overload.test.ts',
  'test/graph/writes/child-name-servers.test.ts',
  'test/graph/writes/lost-replies.test.ts',
  'test/graph/writes/name-servers.test.ts',
  'test/graph/writes/sync.test.ts',
  'test/graph/writes/write-faults.test.ts',
  'test/mcp/stdio.test.ts',
  'test/modules/event/interleavings.test.ts',
  'test/modules/event/sequences.test.ts',
  'test/modules/webhook/interleavings.test.ts',
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
  'test/server/graphql/compiled.test.ts',
  'test/server/overload.test.ts',
  'test/server/persisted-documents.test.ts',
  'test/server/process.test.ts',
  'test/server/rule-order.test.ts',
  'test/server/stream-limit.test.ts',
  'test/shared-state/bounds.test.ts',
  'test/shared-state/replicas.test.ts',
  'test/tenants/interleavings.test.ts',
  'test/tenants/tenants.test.ts',
  'test/upstream/idle-sockets.test.ts',
  'test/upstream/mutations.test.ts',
  'test/upstream/odd-replies.test.ts',
  'test/upstream/row-reader.test.ts',
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
