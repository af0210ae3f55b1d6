import { notifyingJournal } from '../../src/app/tenants.ts';
import { startApprovalLoop } from '../../src/features/approval/loop.ts';
import { approvalFills, approvalRules, approvalStore } from '../../src/features/approval/parts.ts';
import { open as openAudit, openAuditTrail } from '../../src/features/audit/parts.ts';
import { changeRunner } from '../../src/features/bulk-change/parts.ts';
import { eventFills, eventPublisher, watcher } from '../../src/features/event/parts.ts';
import { lineRunner } from '../../src/features/order/parts.ts';
import { startPaymentLoop } from '../../src/features/payment/loop.ts';
import { paymentFills, paymentLoop, paymentStore } from '../../src/features/payment/parts.ts';
import type { LedgerStore } from '../../src/features/portfolio/ledger-store.ts';
import {
  backgroundReads,
  ledger,
  ledgerStore,
  open as openPortfolio,
  portfolioReads,
  snapshot,
} from '../../src/features/portfolio/parts.ts';
import type { PortfolioReads } from '../../src/features/portfolio/portfolio.ts';
import { noLedger } from '../../src/features/portfolio/test/no-ledger.ts';
import { anonymous } from '../../src/kernel/caller.ts';
import { parseDomainName } from '../../src/kernel/domain-name.ts';
import type { Executed } from '../../src/kernel/faults.ts';
import { dayMs } from '../../src/kernel/instant.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { ScopedLimits } from '../../src/kernel/spend-limits.ts';
import { CacheRevision } from '../../src/lib/lazy.ts';
import { accountApi } from '../../src/modules/account-api/service.ts';
import { availabilityReads } from '../../src/modules/availability/loader.ts';
import { unrecorded, writeLog } from '../../src/modules/domain/write.ts';
import { purchaseRunner } from '../../src/modules/purchase-job/parts.ts';
import { holds } from '../../src/modules/job/holds.ts';
import { itemRunners, jobEngine, startJobs } from '../../src/modules/job/parts.ts';
import { quietAfterMarkMs } from '../../src/modules/purchase/commit.ts';
import type { TransferPace } from '../../src/modules/purchase/conclude.ts';
import { runPurchase } from '../../src/modules/purchase/flow.ts';
import {
  paceOfTransfers,
  purchasing,
  reconciler,
  settledPurchases,
  settlementNotifier,
} from '../../src/modules/purchase/parts.ts';
import type { PurchasePayload } from '../../src/modules/purchase/payload.ts';
import { purchases } from '../../src/modules/purchase/service.ts';
import { spendObserver } from '../../src/modules/purchase/spend-observer.ts';
import { type RegisterInput, registerOperation } from '../../src/modules/registration/register.ts';
import { type TransferInput, transferOperation } from '../../src/modules/transfer/transfer.ts';
import type { Log } from '../../src/observability/log.ts';
import { createJournal } from '../../src/persistence/journal.ts';
import type { PurchaseRecord } from '../../src/persistence/purchase-record.ts';
import { operationTrail, retailPrices } from '../../src/scope/hooks.ts';
import type { Key } from '../../src/scope/parts.ts';
import { Scope } from '../../src/scope/scope.ts';
import { settings, Tenant } from '../../src/scope/tenant.ts';
import { createAccountApi } from '../../src/upstream/account-api/client.ts';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { createDomainClient } from '../../src/upstream/domain-api/client.ts';
import { createDomainApi } from '../../src/upstream/domain-api/domain-api.ts';
import type { BreakerLimits } from '../../src/upstream/policies/circuit-breaker.ts';
import { silentLog, testSettings } from '../support/modules/test-settings.ts';
import { noTrail } from '../support/no-recorder.ts';
import type { ApprovalWeather } from './approval-weather.ts';
import type { ChangeWeather } from './change-weather.ts';
import { rulesAt } from './deciders.ts';
import { type Endpoint, startDeliveries } from './endpoint.ts';
import type { History } from './history.ts';
import { createNetwork, type NetworkTimes, type Roadmap } from './network.ts';
import type { OrderWeather } from './order-weather.ts';
import type { PaymentWeather } from './payment-weather.ts';
import type { PortfolioWeather } from './portfolio-weather.ts';
import { fixedPrices, type PriceWeather } from './price-weather.ts';
import { createProcessClock, createProcessRandomness, type ProcessClock } from './process-clock.ts';
import { login, type Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { Step } from './weather.ts';
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
  readonly payments: PaymentWeather | null;
  readonly prices: PriceWeather | null;
  readonly endpoint: Endpoint | null;
  roads: Roadmap;
  /** Runs before and after each statement and call of a process; throws, pauses it or kills it. */
  readonly meet: (process: Process, step: Step) => void;
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
  /** Waits for ever when the process ends at this step. */
  outside(step: Step): Promise<void>;
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
  lists(): PortfolioReads;
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
  const isChangeOfEvents =
    /insert into (?:watched_subjects|events)|update "watched_subjects"|delete from "outbox"/;
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
    async outside(step) {
      around.meet(process, step);
      if (!owner.alive) await new Promise(() => undefined);
    },
    async available(names) {
      const availability = scope().use(availabilityReads);
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
    lists: () => scope().use(portfolioReads),
    kill() {
      if (!owner.alive) return;
      owner.alive = false;
      clock.end();
      world.trace(`${name} is killed`);
      world.after(1, null, () => death.resolve('killed'));
    },
    killed: death.promise,
  };

  const stored = createJournal(
    store.open(async (side, { sql, changedRows, site }) => {
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
      await process.outside({ what, side, point: site });
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
    notices: null,
  });
  const watched = around.portfolio;
  const tenant = new Tenant(
    {
      ...{ clock, cacheClock: clock, wallClock: clock, randomness, revision, domainApi },
      ...{ tenant: 'default', account, logOperation: () => undefined, maxUpstreamCalls: 1_000 },
      accountApi: createAccountApi(calling).api,
      upstreamState: () => ({ domain: domain.gate.state(), account: null }),
      journal: notifyingJournal(stored, {
        onLateSuccess: () => undefined,
        onSettled: (purchase) => tenant.use(settledPurchases).emit(purchase),
      }),
      log: failuresTo(around),
      gateway: { environment: 'SANDBOX', version: 'simulated' },
      writeDeadlineMs: around.times.writeDeadlineMs,
      quietWindowMs: quietAfterMarkMs(around.times.writeDeadlineMs, timings.quietWindowMs),
      limitsOf: ({ name }) => (name === null ? { ...around.limits, KEY: {} } : around.limits),
      mayBeReal: false,
      currentCaller: (before) => ({ ...before, tenant: 'default' }),
    },
    [
      ...approvalFills,
      ...paymentFills,
      ...(openAudit({ metrics: null }).fills ?? []),
      ...eventFills,
      ...(openPortfolio().fills ?? []),
    ],
  );
  const prices = around.prices && fixedPrices;
  tenant
    .provide(settings, settingsOf(around))
    .provide(retailPrices, { current: () => prices, missing: null })
    .provide(paceOfTransfers, timings.pace)
    .provide(spendObserver, null)
    .provide(approvalRules, () => around.approvals && rulesAt(around.approvals, world.nowMs()));
  if (!around.approvals) tenant.provide(operationTrail, noTrail);
  if (!watched) tenant.provide(ledger, noLedger).provide(writeLog, { of: () => () => unrecorded });
  if (watched) tenant.provide(ledgerStore, withReads(tenant.use(ledgerStore), around));
  start(tenant, snapshot, settlementNotifier);
  if (watched) start(tenant, backgroundReads, watcher, eventPublisher);
  startDeliveries(tenant, process, around);
  if (around.approvals) start(tenant, openAuditTrail);
  start(tenant, reconciler);
  // Without jobs the engine only costs time.
  if (hasChanges || around.approvals || around.orders.buyers.length > 0) {
    tenant
      .provide(itemRunners, {
        ORDER: tenant.use(lineRunner),
        ...(around.approvals && { PURCHASE: tenant.use(purchaseRunner) }),
        ...(hasChanges && { CHANGE: tenant.use(changeRunner) }),
      })
      .use(jobEngine);
  }
  if (around.approvals) {
    startApprovalLoop({
      ...tenant.facts,
      approvals: tenant.store(approvalStore),
      ...{ hasRules: true, everyMs: around.approvals.pollEveryMs },
      startJobs: tenant.use(startJobs),
      onError: (error) => around.history.failed(error),
    });
  }

  if (around.payments) {
    const loop = startPaymentLoop({
      ...tenant.facts,
      payments: tenant.store(paymentStore),
      holds: tenant.use(holds),
      everyMs: around.payments.pollEveryMs,
      startJobs: tenant.use(startJobs),
      onError: (error) => around.history.failed(error),
    });
    tenant.provide(paymentLoop, loop);
  }

  const scope = (
    { signal, caller }: Caller = { signal: new AbortController().signal, caller: null },
    accountToken: Secret | null = null,
  ) =>
    new Scope(tenant, {
      requestId: 'simulated',
      signal: () => signal,
      caller: { ...anonymous, name: caller },
      accountToken,
      idempotencyKey: null,
    });
  return process;
}

function start(tenant: Tenant, ...parts: readonly Key<Tenant, unknown>[]): void {
  for (const part of parts) tenant.use(part);
}

function settingsOf({ portfolio, approvals, orders, changes, timings }: RunContext) {
  const { together, leaseMs } = changes.operators.length > 0 ? changes : orders;
  return {
    ...testSettings,
    maxAges,
    featureValues: {
      AUDIT_RETENTION_DAYS: 1,
      PORTFOLIO_READS_PER_MINUTE: portfolio?.readsPerMinute ?? 0,
      EVENTS_INTERVAL_SECONDS: portfolio?.everyMs ?? 0,
      ...(portfolio && {
        EVENTS_RETENTION_DAYS: portfolio.retentionMs / dayMs,
        EXPIRY_EVENT_DAYS: portfolio.expiryDays,
        BALANCE_LOW: portfolio.balanceLow,
        RENEWALS_DAYS: portfolio.renewalsDays,
      }),
    },
    approvals: { file: approvals ? 'approvals.yaml' : undefined },
    purchases: { ...testSettings.purchases, jobConcurrency: together },
    jobLeaseMs: leaseMs,
    reconcileEveryMs: timings.reconcileEveryMs,
  };
}

/** Counts the reads of domains that no list has had. */
function withReads(store: LedgerStore, { history }: RunContext): LedgerStore {
  return Object.assign(Object.create(store), {
    async takeDue(...due: Parameters<LedgerStore['takeDue']>) {
      const taken = await store.takeDue(...due);
      for (const { row, missingAt } of taken) {
        history.portfolio?.readInBackground(row === null && missingAt === null);
      }
      return taken;
    },
  });
}

/** While the journal is away. The operation runs all the same, unless the audit log is required. */
const losesEntries = 'an entry of the audit log is not stored';
/** The work that logs also the faults of its journal. */
const logsFaults = ['an item of a job failed', 'the audit log cannot be written'];

const failuresTo = ({ history, world }: RunContext): Log => ({
  ...silentLog,
  error(message, fields) {
    const error = fields?.error;
    if (message === losesEntries) return;
    if (logsFaults.includes(message)) history.failed(error);
    else world.violate('bug', String(error instanceof Error ? error.stack : error));
  },
});
