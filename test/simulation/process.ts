import '../../src/modules/approval/key.ts';
import { notifyingJournal } from '../../src/app/notifying-journal.ts';
import { anonymous } from '../../src/kernel/caller.ts';
import { parseDomainName } from '../../src/kernel/domain-name.ts';
import type { Executed } from '../../src/kernel/faults.ts';
import { dayMs } from '../../src/kernel/instant.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { ScopedLimits } from '../../src/kernel/spend-limits.ts';
import { CacheRevision } from '../../src/lib/cache-revision.ts';
import { accountApi } from '../../src/modules/account-api/service.ts';
import { startApprovalLoop } from '../../src/modules/approval/loop.ts';
import { createJobAudit } from '../../src/modules/audit/job-audit.ts';
import { createAuditTrail } from '../../src/modules/audit/trail.ts';
import { IdnRefusals } from '../../src/modules/availability/check.ts';
import { createChangeRunner } from '../../src/modules/bulk-change/run-item.ts';
import type { TenantDeps } from '../../src/modules/deps.ts';
import { unrecorded } from '../../src/modules/domain/write-log.ts';
import { createEventStreams } from '../../src/modules/event/streams.ts';
import { createJobEngine } from '../../src/modules/job/engine.ts';
import { createProgressNotifier } from '../../src/modules/job/progress-notifier.ts';
import { Loaders } from '../../src/modules/loaders.ts';
import { createLineRunner } from '../../src/modules/order/run-line.ts';
import { createPurchaseRunner } from '../../src/modules/order/run-purchase.ts';
import { createSnapshot } from '../../src/modules/portfolio/snapshot.ts';
import { quietAfterMarkMs } from '../../src/modules/purchase/commit.ts';
import type { TransferPace } from '../../src/modules/purchase/conclude.ts';
import { runPurchase } from '../../src/modules/purchase/flow.ts';
import type { PurchasePayload } from '../../src/modules/purchase/payload.ts';
import { createReconciler } from '../../src/modules/purchase/reconciler.ts';
import { purchasing } from '../../src/modules/purchase/request-deps.ts';
import { purchases } from '../../src/modules/purchase/service.ts';
import { createSettlementNotifier } from '../../src/modules/purchase/settlement-notifier.ts';
import { createSightings } from '../../src/modules/purchase/sightings.ts';
import { createQuotes } from '../../src/modules/quote/quotes.ts';
import type { RegisterInput } from '../../src/modules/registration/register.ts';
import { registerOperation } from '../../src/modules/registration/register.ts';
import { Scope } from '../../src/modules/scope.ts';
import { createSearchPace, maxSearchCalls } from '../../src/modules/search/pace.ts';
import type { TransferInput } from '../../src/modules/transfer/transfer.ts';
import { transferOperation } from '../../src/modules/transfer/transfer.ts';
import { createJournal } from '../../src/persistence/journal.ts';
import type { PurchaseRecord } from '../../src/persistence/purchase-record.ts';
import { createAccountApi } from '../../src/upstream/account-api/client.ts';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { createDomainClient } from '../../src/upstream/domain-api/client.ts';
import { createDomainApi } from '../../src/upstream/domain-api/domain-api.ts';
import type { BreakerLimits } from '../../src/upstream/policies/circuit-breaker.ts';
import { ConcurrencyLimit } from '../../src/upstream/policies/concurrency.ts';
import { auditedLines, noTrail } from '../support/no-audit.ts';
import { noLedger } from '../support/no-ledger.ts';
import { noWebhooks } from '../support/no-webhooks.ts';
import { plainQuotes } from '../support/plain-quotes.ts';
import type { ApprovalWeather } from './approval-weather.ts';
import type { ChangeWeather } from './change-weather.ts';
import { rulesAt } from './deciders.ts';
import type { History } from './history.ts';
import { createNetwork, type NetworkTimes, type Roadmap } from './network.ts';
import type { OrderWeather } from './order-weather.ts';
import { startPortfolio } from './portfolio-process.ts';
import type { PortfolioWeather } from './portfolio-weather.ts';
import { fixedPrices, type PriceWeather } from './price-weather.ts';
import { createProcessClock, createProcessRandomness, type ProcessClock } from './process-clock.ts';
import { login, type Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { Owner, World } from './world.ts';

/** Long, so that a purchase that uses a cached value is found. */
export const maxAges = { tldsMs: 600_000, domainsMs: 60_000, availabilityMs: 3_000 };

/** Everything that the processes of a run share. */
export interface RunContext {
  readonly world: World;
  readonly store: SharedStore;
  readonly service: Service;
  readonly history: History;
  readonly times: NetworkTimes;
  readonly timings: Timings;
  readonly limits: ScopedLimits;
  readonly breaker: BreakerLimits;
  readonly journalMs: number;
  readonly orders: OrderWeather;
  readonly changes: ChangeWeather;
  readonly portfolio: PortfolioWeather | null;
  readonly approvals: ApprovalWeather | null;
  readonly prices: PriceWeather | null;
  roads: Roadmap;
  /** Runs before and after each statement and call of a process; throws, pauses it or kills it. */
  readonly meet: (process: Process, what: string, side: 'before' | 'after') => void;
}

interface Timings {
  readonly timeoutMs: number;
  readonly quietWindowMs: number;
  readonly reconcileEveryMs: number;
  readonly pace: TransferPace;
}

/** The caller of a request, and the signal of its disconnect. */
interface Caller {
  readonly signal: AbortSignal;
  readonly caller: string | null;
}

/** One process of the gateway: the production code with a simulated clock, network and store. */
export interface Process {
  readonly owner: Owner;
  readonly clock: ProcessClock;
  /** One external step. Never returns in a process that it kills. */
  outside(what: string, side: 'before' | 'after'): Promise<void>;
  register(input: RegisterInput, by: Caller): Promise<PurchasePayload>;
  transfer(input: TransferInput, by: Caller): Promise<PurchasePayload>;
  /** The names that are reported as AVAILABLE. */
  available(names: readonly string[]): Promise<readonly string[]>;
  /** The reported outcome of a deletion of logs. */
  deleteLogs(token: string): Promise<Executed>;
  byKey(key: string): Promise<PurchaseRecord | null>;
  byId(id: string): Promise<PurchaseRecord | null>;
  /** The scope of one request. */
  request(by: Caller): Scope;
  loaders(): Loaders;
  /** Discards the memory; the disk and calls on the wire remain. */
  kill(): void;
  /** Resolves when the process is killed. */
  readonly killed: Promise<'killed'>;
}

export const stepOfEvents = 'journal events';

/** Of a statement, for the checks after it. */
interface StatementKind {
  readonly what: string;
  readonly writesPortfolio: boolean;
  readonly writesApproval: boolean;
  readonly writesJob: boolean;
}

const kinds = new Map<string, StatementKind>();

/** Cached, since a run has few texts and executes each many times. */
function kindOf(sql: string): StatementKind {
  const known = kinds.get(sql);
  if (known) return known;
  /** The statements between a difference and its event. */
  const isChangeOfEvents = /insert into (?:watched_subjects|events)|update "watched_subjects"/;
  const kind = {
    what: isChangeOfEvents.test(sql) ? stepOfEvents : `journal ${sql.trimStart().split(' ', 1)[0]}`,
    writesPortfolio: /^(?!\s*select).*(?:known_domains|watched_subjects|event)/s.test(sql),
    writesApproval: /^(?!\s*select).*\bapprovals\b/s.test(sql),
    writesJob: /^(?!\s*select).*\bjob(?:s|_items)\b/s.test(sql),
  };
  kinds.set(sql, kind);
  return kind;
}

const account = 'simulated:account';

export function startProcess(name: string, skewMs: number, around: RunContext): Process {
  const { world, store, timings } = around;
  const owner: Owner = { name, alive: true, pausedUntilMs: 0, pausedMs: 0 };
  const clock = createProcessClock(world, owner, skewMs);
  const randomness = createProcessRandomness(world);
  const death = Promise.withResolvers<'killed'>();
  const hasChanges = around.changes.operators.length > 0;

  const process: Process = {
    owner,
    clock,
    async outside(what, side) {
      around.meet(process, what, side);
      if (!owner.alive) await new Promise(() => undefined);
    },
    async available(names) {
      const { availability } = scope().loaders;
      const results = await Promise.all(
        names.map((name) => availability.load(parseDomainName(name))),
      );
      return results.filter(({ state }) => state === 'AVAILABLE').map(({ name }) => name);
    },
    async deleteLogs(token) {
      const by = { signal: new AbortController().signal, caller: null };
      const { errors } = await scope(by, new Secret(token)).use(accountApi).deleteLogs({
        confirm: true,
      });
      return errors[0]?.executed ?? 'YES';
    },
    register: (input, by) => runPurchase(scope(by).use(purchasing), registerOperation, input),
    transfer: (input, by) => runPurchase(scope(by).use(purchasing), transferOperation, input),
    byKey: (key) => scope().use(purchases).find({ key }),
    byId: (id) => scope().use(purchases).byId(id),
    request: (by) => scope(by),
    loaders: () => scope().loaders,
    kill() {
      if (!owner.alive) return;
      owner.alive = false;
      world.trace(`${name} is killed`);
      world.after(1, null, () => death.resolve('killed'));
    },
    killed: death.promise,
  };

  const stored = createJournal(
    store.open(async (side, sql, changedRows) => {
      const { what, writesPortfolio, writesApproval, writesJob } = kindOf(sql);
      if (side === 'before')
        await world.pass(world.random.between(0.1, around.journalMs / 2), owner);
      // The end of a wait also changes the items of its job.
      const isDecided = changedRows && writesApproval && around.history.approvals?.written();
      if (isDecided || (changedRows && writesJob)) {
        around.history.orders.written();
        if (hasChanges) around.history.changes.written(name);
      }
      if (side === 'after' && writesPortfolio) around.history.portfolio?.written(sql);
      await process.outside(what, side);
      if (side === 'after')
        await world.pass(world.random.between(0.1, around.journalMs / 2), owner);
    }),
  );
  const transport = createNetwork(
    around,
    () => around.roads,
    () => process,
  );
  const limits = { ...gateLimits, breaker: around.breaker };
  const calling = {
    ...{ transport, timeoutMs: timings.timeoutMs, clock, randomness, limits },
    ...{ maxInFlight: 64, queueBudgetMs: 2_000, ratePerSecond: 0 },
  };
  const revision = new CacheRevision();
  const credentials = { username: login.username, password: new Secret(login.password) };
  const domain = createDomainClient({ ...calling, credentials: () => credentials });
  const domainApi = createDomainApi(domain.actions, {
    clock,
    revision,
    maxAges,
    sharedState: null,
  });
  const maxAgeMs = maxAges.domainsMs;
  const quietWindowMs = quietAfterMarkMs(around.times.writeDeadlineMs, timings.quietWindowMs);
  const settlementNotifier = createSettlementNotifier({ journal: stored, account, clock });
  const portfolio =
    around.portfolio &&
    startPortfolio({
      ...{ account, clock, randomness, revision, maxAgeMs, quietWindowMs },
      ...{ journal: stored, api: domainApi, weather: around.portfolio },
      onError: (error) =>
        around.world.violate('bug', String(error instanceof Error ? error.stack : error)),
      history: around.history.portfolio,
    });
  const journal = portfolio
    ? notifyingJournal(stored, {
        ...{ settlementNotifier, sharedState: null, ledger: portfolio.ledger },
        eventPublisher: portfolio.eventPublisher,
        observer: { lateSuccess: () => undefined },
      })
    : stored;
  let startJobs = (): void => undefined;
  const deps: TenantDeps = {
    domainApi,
    quotes: around.prices ? createQuotes(() => fixedPrices, clock) : plainQuotes,
    approvalRules: () => around.approvals && rulesAt(around.approvals, world.nowMs()),
    revision,
    snapshot:
      portfolio?.snapshot ??
      createSnapshot({ api: domainApi, clock, revision, maxAgeMs, ledger: noLedger }),
    ledger: portfolio?.ledger ?? noLedger,
    accountApi: createAccountApi(calling).api,
    upstreamState: () => ({ domain: domain.gate.state(), account: null }),
    journal,
    clock,
    cacheClock: clock,
    randomness,
    sightings: createSightings(clock),
    settlementNotifier,
    writeLog: portfolio?.writeLog ?? { of: () => () => unrecorded },
    eventStreams: createEventStreams({ store: journal.events, account, clock }),
    webhooks: noWebhooks,
    jobProgress: createProgressNotifier({ journal, account, clock }),
    startJobs: () => startJobs(),
    maxUpstreamCalls: 1_000,
    gateway: { environment: 'SANDBOX', version: 'simulated', eventsEveryMs: null },
    idnRefusals: new IdnRefusals(clock),
    searchPace: createSearchPace({ clock, places: new ConcurrencyLimit(() => maxSearchCalls) }),
    account,
    audit: () => undefined,
    auditTrail: around.approvals
      ? createAuditTrail({
          ...{ store: journal.audit, account, clock, isRequired: true, storesAddresses: false },
          ...{ retentionMs: dayMs, onLost: () => undefined },
          onError: (error) => around.history.failed(error),
        })
      : noTrail,
    spendEvents: null,
    writeDeadlineMs: around.times.writeDeadlineMs,
    pace: timings.pace,
    limitsOf: ({ name }) => (name === null ? { ...around.limits, KEY: {} } : around.limits),
    currentCaller: (before) => ({ ...before, tenant: 'default' }),
    quietWindowMs,
  };
  createReconciler({ ...deps, everyMs: timings.reconcileEveryMs });
  // Without jobs the engine only costs time.
  if (hasChanges || around.approvals || around.orders.buyers.length > 0)
    startJobs = startEngine(deps, around);
  if (around.approvals) {
    startApprovalLoop({
      ...{ journal, account, clock, hasRules: true, storesEvents: true },
      everyMs: around.approvals.pollEveryMs,
      startJobs: () => startJobs(),
      onError: (error) => around.history.failed(error),
    });
  }

  const scope = (
    { signal, caller }: Caller = { signal: new AbortController().signal, caller: null },
    accountToken: Secret | null = null,
  ) =>
    new Scope(deps, {
      requestId: 'simulated',
      signal: () => signal,
      caller: { ...anonymous, name: caller },
      accountToken,
      idempotencyKey: null,
    });
  return process;
}

/** Starts the work on jobs. Returns what starts the work on new ones. */
function startEngine(
  deps: TenantDeps,
  { orders, changes, approvals, history }: RunContext,
): () => void {
  const { clock, randomness, journal, jobProgress } = deps;
  const openReads = () => new Loaders(deps, () => ({}), auditedLines(deps.audit));
  const hasChanges = changes.operators.length > 0;
  const { together, leaseMs } = hasChanges ? changes : orders;
  const auditOf = createJobAudit({ log: deps.audit, trail: deps.auditTrail }, 'default');
  const engine = createJobEngine({
    ...{ account, clock, randomness, jobs: journal.jobs, together, leaseMs },
    run: {
      ORDER: createLineRunner(deps, openReads, auditOf),
      ...(approvals && { PURCHASE: createPurchaseRunner(deps, openReads, auditOf) }),
      ...(hasChanges && { CHANGE: createChangeRunner(deps, auditOf) }),
    },
    onChange: (jobId) => void jobProgress.check(jobId),
    onError: (error) => history.failed(error),
  });
  return engine.wake;
}
