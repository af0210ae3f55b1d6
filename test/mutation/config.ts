/** A part of `src` that `npm run mutate` measures separately. */
export interface Part {
  /** A file or folder. A file belongs to the part with the longest path that contains it. */
  readonly source: string;
  /** The lowest score in percent. */
  readonly threshold: number;
  /** Test files and folders next to the part. Only they count. */
  readonly tests: readonly string[];
}

const observability = ['test/observability', 'test/secrets', 'test/server'];

export const parts: readonly Part[] = [
  { source: 'src/modules/purchase', threshold: 95, tests: ['test/modules/purchase'] },
  { source: 'src/modules/registration', threshold: 95, tests: ['test/modules/registration'] },
  { source: 'src/modules/quote', threshold: 95, tests: ['test/modules/quote'] },
  {
    source: 'src/persistence',
    threshold: 95,
    tests: [
      'test/persistence/sqlite.test.ts',
      'test/persistence/statements.test.ts',
      'test/persistence/journal.test.ts',
      'test/persistence/backup.test.ts',
    ],
  },
  {
    source: 'src/persistence/postgres.ts',
    threshold: 95,
    tests: ['test/persistence/postgres-connections.test.ts'],
  },
  { source: 'src/access', threshold: 95, tests: ['test/access'] },
  { source: 'src/kernel/money.ts', threshold: 95, tests: ['test/kernel'] },
  { source: 'src/kernel/secret.ts', threshold: 95, tests: ['test/kernel'] },
  { source: 'src/kernel/spend-limits.ts', threshold: 95, tests: ['test/kernel'] },
  { source: 'src/server/graphql/errors', threshold: 95, tests: ['test/server/graphql/errors'] },
  {
    source: 'src/server/graphql/rules',
    threshold: 95,
    tests: ['test/server/graphql/rules', 'test/server/request-queue.test.ts'],
  },
  { source: 'src/schema/access.ts', threshold: 95, tests: ['test/access/guarded-fields.test.ts'] },
  { source: 'src/observability/log.ts', threshold: 95, tests: ['test/observability/log.test.ts'] },
  {
    source: 'src/observability/standard-error.ts',
    threshold: 95,
    tests: ['test/observability/line-stream.test.ts'],
  },
  { source: 'src/observability', threshold: 85, tests: observability },
  { source: 'src/kernel', threshold: 85, tests: ['test/kernel'] },
  { source: 'src/lib', threshold: 85, tests: ['test/lib', 'test/kernel/system.test.ts'] },
  { source: 'src/modules', threshold: 85, tests: ['test/graph/reads', 'test/graph/writes'] },
  {
    source: 'src/upstream/policies',
    threshold: 85,
    tests: [
      'test/upstream/batcher.test.ts',
      'test/upstream/concurrency.test.ts',
      'test/upstream/login-pause.test.ts',
      'test/upstream/policy-times.test.ts',
      'test/upstream/rate-limit.test.ts',
      'test/upstream/retry.test.ts',
      'test/upstream/single-flight.test.ts',
    ],
  },
  { source: 'src/upstream', threshold: 85, tests: ['test/upstream', 'test/graph/upstream'] },
  {
    source: 'src/server/graphql',
    threshold: 85,
    tests: [
      'test/server/graphql/limits',
      'test/server/graphql/cost-estimate.test.ts',
      'test/server/graphql/fast-path.test.ts',
      'test/server/graphql/params.test.ts',
      'test/server/graphql/response-cache.test.ts',
      'test/server/one-purchase.test.ts',
    ],
  },
  {
    source: 'src/server/http/guards',
    threshold: 85,
    tests: ['test/server/http/guards.test.ts'],
  },
  {
    source: 'src/server/http/http-request.ts',
    threshold: 85,
    tests: ['test/server/http/http-request.test.ts'],
  },
  { source: 'src/server/http/responses.ts', threshold: 85, tests: ['test/server/http'] },
  { source: 'src/server', threshold: 85, tests: ['test/server', 'test/abuse'] },
  { source: 'src/app/tenants.ts', threshold: 95, tests: ['test/app'] },
  { source: 'src/app', threshold: 85, tests: ['test/app'] },
  { source: 'src/shared-state', threshold: 85, tests: ['test/shared-state'] },
  { source: 'src/schema', threshold: 85, tests: ['test/graph/reads', 'test/server'] },
  { source: 'src/config/tenants.ts', threshold: 95, tests: ['test/config/tenants.test.ts'] },
  { source: 'src/config', threshold: 85, tests: ['test/config'] },
  {
    source: 'src/sandbox/domain-api',
    threshold: 70,
    tests: [
      'test/sandbox/catalogue.test.ts',
      'test/sandbox/changes-by-state.test.ts',
      'test/sandbox/conventions.test.ts',
      'test/sandbox/names-by-rule.test.ts',
      'test/sandbox/parsed-calls.test.ts',
      'test/sandbox/prices-and-periods.test.ts',
      'test/sandbox/reads.test.ts',
      'test/sandbox/settings.test.ts',
      'test/sandbox/transfer-rules.test.ts',
      'test/sandbox/transfer.test.ts',
      'test/referee/domain-api.test.ts',
    ],
  },
  {
    source: 'src/sandbox/service',
    threshold: 70,
    tests: [
      'test/sandbox/changes-by-state.test.ts',
      'test/sandbox/latency.test.ts',
      'test/sandbox/names-by-rule.test.ts',
      'test/sandbox/parsed-calls.test.ts',
      'test/sandbox/played-faults.test.ts',
      'test/sandbox/prices-and-periods.test.ts',
      'test/sandbox/reads.test.ts',
      'test/sandbox/transfer-rules.test.ts',
    ],
  },
  {
    source: 'src/sandbox/service/catalogue.ts',
    threshold: 70,
    tests: ['test/sandbox/catalogue.test.ts', 'test/sandbox/prices-and-periods.test.ts'],
  },
  {
    source: 'src/sandbox/service/database.ts',
    threshold: 70,
    tests: ['test/sandbox/one-transaction.test.ts', 'test/sandbox/persistence.test.ts'],
  },
  {
    source: 'src/sandbox/account-api.ts',
    threshold: 70,
    tests: [
      'test/sandbox/account-api.test.ts',
      'test/sandbox/account-replies.test.ts',
      'test/sandbox/hosting-groups.test.ts',
      'test/referee/account-api.test.ts',
    ],
  },
  {
    source: 'src/sandbox/dispatch.ts',
    threshold: 70,
    tests: ['test/sandbox/played-faults.test.ts', 'test/sandbox/latency.test.ts'],
  },
  {
    source: 'src/sandbox/service/faults.ts',
    threshold: 70,
    tests: ['test/sandbox/chosen-faults.test.ts', 'test/sandbox/played-faults.test.ts'],
  },
  {
    source: 'src/sandbox',
    threshold: 70,
    tests: [
      'test/sandbox/admin.test.ts',
      'test/sandbox/conventions.test.ts',
      'test/sandbox/parsed-calls.test.ts',
      'test/sandbox/persistence.test.ts',
    ],
  },
];

/**
 * Test files that say nothing about a mutant or take too long: they start processes, which run other code than the
 * mutated module, or repeat a case many times.
 */
export const excludedTests: readonly string[] = [
  'test/access/made-keys.test.ts',
  'test/access/own-purchases.test.ts',
  'test/access/scopes.test.ts',
  'test/graph/reads/portfolio-long.test.ts',
  'test/graph/reads/portfolio-property.test.ts',
  'test/graph/reads/search-calls.test.ts',
  'test/graph/writes/lost-replies.test.ts',
  'test/persistence/spending-property.test.ts',
  'test/persistence/sqlite-processes.test.ts',
  'test/referee/killed.test.ts',
  'test/server/overload.test.ts',
  'test/server/persisted-documents.test.ts',
  'test/server/process.test.ts',
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
