import type { Config } from '../config/config.ts';
import { followLogin } from '../config/followed-login.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { type Caller, defaultTenant, mayKnowCosts } from '../kernel/caller.ts';
import { Fault } from '../kernel/faults.ts';
import { intersectLimits } from '../kernel/spend-limits.ts';
import { CacheRevision } from '../lib/cache-revision.ts';
import { startApprovalLoop } from '../modules/approval/loop.ts';
import { IdnRefusals } from '../modules/availability/check.ts';
import { type CalendarFeed, secretHash } from '../modules/calendar/service.ts';
import type { TenantDeps } from '../modules/deps.ts';
import { createProgressNotifier } from '../modules/job/progress-notifier.ts';
import { quietAfterMarkMs } from '../modules/purchase/commit.ts';
import { transferPace } from '../modules/purchase/conclude.ts';
import { createReconciler } from '../modules/purchase/reconciler.ts';
import { createSettlementNotifier } from '../modules/purchase/settlement-notifier.ts';
import { createSightings } from '../modules/purchase/sightings.ts';
import { createSpendEvents } from '../modules/purchase/spend-events.ts';
import { createQuotes } from '../modules/quote/quotes.ts';
import { createSearchPace, maxSearchCalls } from '../modules/search/pace.ts';
import { writeDeadlineMs } from '../upstream/client/call.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';
import { createDomainApi } from '../upstream/domain-api/domain-api.ts';
import { ConcurrencyLimit } from '../upstream/policies/concurrency.ts';
import { withArrivingDomains } from './arriving-domains.ts';
import { openAuditTrail } from './audit.ts';
import { openDomains } from './domains.ts';
import { startJobs } from './jobs.ts';
import { accountOf } from './journal.ts';
import { type LoginState, watchLogin } from './login-check.ts';
import { notifyingJournal } from './notifying-journal.ts';
import type { SharedDeps } from './shared-deps.ts';
import { connectUpstream } from './upstream-clients.ts';
import { openWebhooks } from './webhooks.ts';

/** Opens the tenants of a process. */
export function openTenants(shared: SharedDeps) {
  // Closed in the reverse order.
  const opened = new AsyncDisposableStack();
  const tenants = new Map(
    shared.config.tenants.map((tenant) => [tenant.name, openTenant(tenant, shared, opened)]),
  );
  return {
    has: (name: string): boolean => tenants.has(name),
    upstreamStates: (): readonly UpstreamState[] =>
      [...tenants.values()].map(({ clients }) => clients.state()),
    logins: (): readonly LoginState[] => [...tenants.values()].map(({ login }) => login.state),
    /** Checks each login once, unless `checksLogin` is false. */
    checkLogins(): void {
      for (const { login } of tenants.values()) login.check();
    },
    /** The expected wait for an upstream slot of a tenant, in milliseconds, when it exceeds the queue budget; else 0. */
    upstreamOverloadMs: (name: string, isPurchase: boolean): number =>
      tenants.get(name)?.clients.overloadMs(isPurchase) ?? 0,
    /** @throws Fault `FORBIDDEN` for a caller of an unknown tenant. */
    depsOf(caller: Caller): TenantDeps {
      const found = tenants.get(caller.tenant);
      if (!found) throw new Fault('FORBIDDEN');
      return mayKnowCosts(caller) ? found.withCosts : found.deps;
    },
    /** The calendar feed with this secret, and a caller of its tenant that reads it. */
    findFeed: async (secret: string) => {
      const found = await shared.journal.calendarFeeds.bySecret(secretHash(secret));
      const [tenant] = [...tenants].find(([, { deps }]) => deps.account === found?.account) ?? [];
      return found && tenant !== undefined
        ? { feed: found.feed, caller: feedCaller(found.feed, tenant) }
        : null;
    },
    /** Waits for calls in flight. */
    close: (): Promise<void> => opened.disposeAsync(),
  };
}

/** Opens one tenant with its own clients, caches, limits and reconciler. */
function openTenant(tenant: TenantConfig, shared: SharedDeps, opened: AsyncDisposableStack) {
  const { clock, cacheClock, randomness, config, audit, gateway, observation, prices } = shared;
  const { maxAges, upstream, purchases, server } = config;
  const account = accountOf(config, tenant);
  const observer = observation.observerOf(tenant.name);
  const urls = tenant.urls ?? shared.embedded;
  if (!urls) throw new Error(`The tenant "${tenant.name}" has no URLs.`);
  const login = followLogin(tenant, { clock, warn: shared.log.warn });
  opened.defer(() => login.close());
  const loginWatch = watchLogin({ ...reportLogin(tenant, shared), tenant: tenant.name, clock });
  const revision = new CacheRevision();
  opened.defer(prices.onChange(() => revision.increment()));
  const quotes = createQuotes(prices.current, clock);
  const sharedState = shared.sharedState?.of(account) ?? null;

  const options = { ...urls, ...login, observer, sharedState, onLoginRefused: loginWatch.refused };
  const clients = connectUpstream(options, shared, opened);
  opened.defer(() => loginWatch.close());
  if (shared.checksLogin) {
    loginWatch.start({
      actions: clients.domainActions,
      pausedForMs: () => clients.state().domain.loginPausedForMs,
    });
  }
  const domainActions = withArrivingDomains(clients.domainActions, {
    journal: shared.journal,
    account,
  });
  const domainApi = createDomainApi(domainActions, {
    clock,
    cacheClock,
    revision,
    maxAges,
    sharedState,
  });
  const deadlineMs = writeDeadlineMs(upstream.timeoutMs);
  const quietWindowMs = quietAfterMarkMs(deadlineMs, shared.quietWindowMs);
  const { eventPublisher, ...domains } = openDomains(
    { tenant: tenant.name, account, api: domainApi, revision, quietWindowMs, observer },
    shared,
    opened,
  );
  const { snapshot, ledger } = domains;
  const webhooks = openWebhooks({ tenant: tenant.name, account, observer, quotes }, shared, opened);
  const settlementNotifier = createSettlementNotifier({ journal: shared.journal, account, clock });
  opened.defer(() => settlementNotifier.close());
  const journal = notifyingJournal(shared.journal, {
    settlementNotifier,
    sharedState,
    observer,
    ledger,
    eventPublisher,
  });
  sharedState?.onWrite(({ domain }) => snapshot.invalidate(domain));
  sharedState?.onSettled(({ id, domain }) => {
    snapshot.invalidate(domain);
    void settlementNotifier.check(id);
  });

  const jobProgress = createProgressNotifier({ journal, account, clock });
  opened.defer(() => jobProgress.close());
  // The engine needs the dependencies of the tenant.
  let wakeEngine = (): void => undefined;

  const deps: TenantDeps = {
    account,
    audit,
    auditTrail: openAuditTrail({ tenant: tenant.name, account, observer }, shared, opened),
    clock,
    cacheClock,
    domainApi,
    gateway: { ...gateway, eventsEveryMs: config.events.everyMs || null },
    journal,
    randomness,
    revision,
    ...domains,
    webhooks,
    settlementNotifier,
    jobProgress,
    startJobs: () => {
      wakeEngine();
      // Without the notice other replicas find the items with their next poll.
      journal.jobNotices.send(account).catch(() => undefined);
    },
    accountApi: clients.accountApi,
    upstreamState: clients.state,
    limitsOf: limitsOf(config, tenant),
    spendEvents:
      config.events.everyMs === 0
        ? null
        : createSpendEvents({
            journal,
            account,
            clock,
            nearPercent: purchases.spendNearPercent,
            onError: (error) =>
              shared.log.error('a spend limit cannot be checked', { tenant: tenant.name, error }),
          }),
    quotes,
    approvalRules: shared.approvalRules,
    currentCaller: (before) => {
      const caller = { ...before, tenant: tenant.name };
      const now = shared.callers ? shared.callers.current(caller) : caller;
      // A key that is bound to another customer now would continue the work of another.
      return now?.customer === before.customer ? now : null;
    },
    maxUpstreamCalls: server.maxUpstreamCalls,
    sightings: createSightings(clock),
    idnRefusals: new IdnRefusals(clock),
    searchPace: createSearchPace({ clock, places: new ConcurrencyLimit(() => maxSearchCalls) }),
    quietWindowMs,
    writeDeadlineMs: deadlineMs,
    pace: transferPace,
  };
  // Without prices those who may know costs buy at cost. A job buys for the price of its quote.
  const withCosts = prices.areMissing ? { ...deps, quotes: createQuotes(() => null, clock) } : deps;
  const engine = startJobs({
    tenant: tenant.name,
    deps: withCosts,
    log: shared.log,
    together: purchases.jobConcurrency,
    leaseMs: shared.jobLeaseMs,
  });
  opened.defer(() => engine.close());
  wakeEngine = engine.wake;
  const approvalLoop = startApprovalLoop({
    ...{ journal, account, clock, startJobs: deps.startJobs },
    hasRules: config.approvals.file !== undefined,
    storesEvents: config.events.everyMs > 0,
    onError: (error) =>
      shared.log.error('approvals cannot be ended', { tenant: tenant.name, error }),
  });
  opened.defer(() => approvalLoop.close());
  opened.defer(journal.jobNotices.subscribe(account, engine.wake));
  const reconciler = createReconciler({ ...deps, everyMs: shared.reconcileEveryMs });
  opened.defer(() => reconciler.close());
  observation.tenantOpened(tenant.name, deps, clients.state);
  return { deps, withCosts, clients, login: loginWatch };
}

/** The name of a key has no colon. */
const feedCaller = ({ id, customer }: CalendarFeed, tenant: string): Caller => ({
  ...{ name: `calendar:${id}`, tenant, customer, limits: {} },
  scopes: new Set(['domains:read']),
});

/** A refused login is an error in the log and a sentence for the operator. */
const reportLogin = ({ name }: TenantConfig, { log, notify }: SharedDeps) => ({
  onChange(refusal: string | null): void {
    const of = name === defaultTenant ? '' : `Tenant "${name}": `;
    if (refusal === null) log.info('login accepted', { tenant: name });
    else log.error('login refused', { tenant: name, reason: refusal });
    notify?.(`${of}${refusal ?? 'The registrar accepts the login again.'}`);
  },
});

/** A purchase must be within the limits of the gateway, of its tenant and of its key. */
function limitsOf({ purchases }: Config, { spendLimits }: TenantConfig): TenantDeps['limitsOf'] {
  const ofGateway = intersectLimits(purchases.spendLimits, spendLimits);
  return ({ limits }) => ({ GATEWAY: ofGateway, KEY: limits });
}
