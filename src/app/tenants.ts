import type { Config } from '../config/config.ts';
import { followLogin } from '../config/followed-login.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { type Caller, defaultTenant } from '../kernel/caller.ts';
import { Fault } from '../kernel/faults.ts';
import type { Notices } from '../kernel/notice.ts';
import { isEnd } from '../kernel/purchase-states.ts';
import { intersectLimits } from '../kernel/spend-limits.ts';
import { CacheRevision } from '../lib/lazy.ts';
import { itemRunners, jobEngine, jobProgress } from '../modules/job/parts.ts';
import { quietAfterMarkMs } from '../modules/purchase/commit.ts';
import { reconciler, settledPurchases, settlementNotifier } from '../modules/purchase/parts.ts';
import type { Journal } from '../persistence/journal.ts';
import type { PurchaseRecord } from '../persistence/purchase-record.ts';
import type { Key } from '../scope/parts.ts';
import { settings, Tenant, type TenantFacts } from '../scope/tenant.ts';
import { writeDeadlineMs } from '../upstream/client/call.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';
import { createDomainApi } from '../upstream/domain-api/domain-api.ts';
import { withArrivingDomains } from './arriving-domains.ts';
import { accountOf } from './journal.ts';
import { type LoginState, watchLogin } from './login-check.ts';
import type { SharedDeps } from './shared-deps.ts';
import { connectUpstream } from './upstream-clients.ts';

interface PurchaseListeners {
  /** A purchase that was recorded as FAILED has happened. */
  readonly onLateSuccess: (purchase: PurchaseRecord) => void;
  /** The move ends after it. */
  readonly onSettled: (purchase: PurchaseRecord) => Promise<void>;
}

/** The journal, which reports settled purchases. */
export const notifyingJournal = (
  journal: Journal,
  { onLateSuccess, onSettled }: PurchaseListeners,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && from.includes('FAILED')) onLateSuccess(moved);
    if (moved && isEnd(moved.state)) await onSettled(moved);
    return moved;
  },
});

/** Opens the tenants of a process. */
export async function openTenants(shared: SharedDeps) {
  // Closed in the reverse order.
  const opened = new AsyncDisposableStack();
  const tenants = new Map<string, ReturnType<typeof startTenant>>();
  try {
    for (const tenant of shared.config.tenants) {
      tenants.set(tenant.name, startTenant(tenant, shared, opened));
    }
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
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
    of(caller: Caller): Tenant {
      const found = tenants.get(caller.tenant);
      if (!found) throw new Fault('FORBIDDEN');
      return found.tenant;
    },
    all: (): ReadonlyMap<string, Tenant> =>
      new Map([...tenants].map(([name, { tenant }]) => [name, tenant])),
    /** Waits for calls in flight. */
    close: (): Promise<void> => opened.disposeAsync(),
  };
}

/** Starts one tenant with its own clients, caches, limits and background work. */
function startTenant(config: TenantConfig, shared: SharedDeps, opened: AsyncDisposableStack) {
  const { clock, observation } = shared;
  const { name } = config;
  const account = accountOf(shared.config, config);
  const observerOfTenant = observation.observerOf(name);
  const urls = config.urls ?? shared.embedded;
  if (!urls) throw new Error(`The tenant "${name}" has no URLs.`);
  const login = followLogin(config, { clock, warn: shared.log.warn });
  opened.defer(() => login.close());
  const loginWatch = watchLogin({ ...reportLogin(config, shared), tenant: name, clock });
  const revision = new CacheRevision();
  const { replicas } = shared.journal;
  const notices = replicas?.noticesOf(account) ?? null;
  const options = {
    ...urls,
    ...login,
    observer: observerOfTenant,
    replicas: replicas && notices && { notices, buckets: replicas.bucketsOf(account) },
    onLoginRefused: loginWatch.refused,
  };
  const clients = connectUpstream(options, shared, opened);
  opened.defer(() => loginWatch.close());
  if (shared.checksLogin) {
    loginWatch.start({
      actions: clients.domainActions,
      pausedForMs: () => clients.state().domain.loginPausedForMs,
    });
  }
  const tenant = new Tenant(
    {
      ...factsOf(config, shared),
      account,
      revision,
      domainApi: createDomainApi(
        withArrivingDomains(clients.domainActions, { journal: shared.journal, account }),
        {
          clock,
          cacheClock: shared.cacheClock,
          revision,
          maxAges: shared.config.maxAges,
          readSlots: clients.readSlots,
          notices,
        },
      ),
      accountApi: clients.accountApi,
      upstreamState: clients.state,
      journal: notifyingJournal(shared.journal, {
        onLateSuccess: observerOfTenant.lateSuccess,
        onSettled: (purchase) => tenant.use(settledPurchases).emit(purchase),
      }),
    },
    [...shared.features.fills, ...(shared.fills ?? [])],
  );
  opened.defer(() => tenant.close());
  const { jobLeaseMs, reconcileEveryMs } = shared;
  tenant
    .provide(settings, { ...shared.config, jobLeaseMs, reconcileEveryMs })
    .provide(itemRunners, runnersFor(tenant, shared));
  for (const part of [...shared.features.background, ...background]) tenant.use(part);
  if (notices) followReplicas(tenant, notices);
  observation.tenantOpened(tenant, clients.state);
  return { tenant, clients, login: loginWatch };
}

/** The parts that work without a request, in the order of their start. */
const background: readonly Key<Tenant, unknown>[] = [
  settlementNotifier,
  jobProgress,
  jobEngine,
  reconciler,
];

const runnersFor = ({ use }: Tenant, { jobRunners }: SharedDeps) =>
  Object.fromEntries(Object.entries(jobRunners).map(([kind, runner]) => [kind, use(runner)]));

/** Sends the settled purchases to the other replicas, and follows their writes. */
function followReplicas(tenant: Tenant, notices: Notices): void {
  tenant
    .use(settledPurchases)
    .listen(({ id, domain }) => notices.send({ kind: 'settled', id, domain }));
  notices.follow((notice) => {
    if (notice.kind !== 'write' && notice.kind !== 'settled') return;
    tenant.invalidate(notice.domain);
    if (notice.kind === 'settled') void tenant.use(settlementNotifier).check(notice.id);
  });
}

function factsOf(tenant: TenantConfig, shared: SharedDeps) {
  const { config, clock, cacheClock, wallClock, randomness, log, logOperation } = shared;
  const deadlineMs = writeDeadlineMs(config.upstream.timeoutMs);
  return {
    ...{ clock, cacheClock, wallClock, randomness, log, logOperation },
    tenant: tenant.name,
    gateway: shared.gateway,
    maxUpstreamCalls: config.server.maxUpstreamCalls,
    writeDeadlineMs: deadlineMs,
    quietWindowMs: quietAfterMarkMs(deadlineMs, shared.quietWindowMs),
    limitsOf: limitsOf(config, tenant),
    mayBeReal: config.mayBeReal,
    currentCaller: (before: Omit<Caller, 'tenant'>) => {
      const caller = { ...before, tenant: tenant.name };
      const now = shared.callers ? shared.callers.current(caller) : caller;
      // A key that is bound to another customer now would continue the work of another.
      return now?.customer === before.customer ? now : null;
    },
  };
}

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
function limitsOf({ purchases }: Config, { spendLimits }: TenantConfig): TenantFacts['limitsOf'] {
  const ofGateway = intersectLimits(purchases.spendLimits, spendLimits);
  return ({ limits }) => ({ GATEWAY: ofGateway, KEY: limits });
}
