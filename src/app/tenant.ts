import type { Config } from '../config/config.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Money } from '../kernel/money.ts';
import type { ScopedLimits } from '../kernel/spend-limits.ts';
import { CacheRevision } from '../lib/cache-revision.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import { IdnRefusals } from '../modules/availability/check.ts';
import type { TenantDeps } from '../modules/deps.ts';
import { createSnapshot } from '../modules/portfolio/snapshot.ts';
import { transferPace } from '../modules/purchase/conclude.ts';
import { createReconciler } from '../modules/purchase/reconciler.ts';
import {
  createSettlementNotifier,
  type SettlementNotifier,
} from '../modules/purchase/settlement-notifier.ts';
import { createSightings } from '../modules/purchase/sightings.ts';
import { quietAfterMarkMs } from '../modules/registration/purchase-flow.ts';
import { createSearchPace, maxSearchCalls } from '../modules/search/pace.ts';
import { isEnd, type Journal, type PurchaseRecord } from '../persistence/store.ts';
import type { CallObserver } from '../observability/call-observer.ts';
import type { SharedState } from '../shared-state/shared-state.ts';
import { writeDeadlineMs } from '../upstream/client/call.ts';
import type { GateLimits } from '../upstream/client/gate.ts';
import { createDomainApi } from '../upstream/domain-api/domain-api.ts';
import { ConcurrencyLimit } from '../upstream/policies/concurrency.ts';
import type { Login } from '../upstream/policies/login-pause.ts';
import { connectUpstream, type TenantReplicas } from './upstream-clients.ts';

/** The dependencies that all tenants of a process share. */
export interface SharedDeps {
  readonly config: Pick<Config, 'server' | 'upstream' | 'maxAges' | 'purchases'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly journal: Journal;
  /** Null when replicas share no state. */
  readonly sharedState: SharedState | null;
  readonly upstreamLimits?: GateLimits;
  readonly reconcileEveryMs: number;
  readonly audit: TenantDeps['audit'];
  readonly gateway: TenantDeps['gateway'];
}

export interface TenantOptions {
  /** Identifies the tenant in the journal. */
  readonly account: string;
  readonly domainApiUrl: string;
  /** Null without an Account API. */
  readonly accountApiUrl: string | null;
  /** The login at the Domain API; read for each call, because it can change. */
  readonly credentials: () => Login;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  readonly observer: TenantObserver;
}

/** Receives the events of one tenant. */
export interface TenantObserver {
  readonly calls: CallObserver;
  balancesRead(balances: readonly Money[]): void;
  /** A purchase was recorded as FAILED but happened, and is UNKNOWN now. */
  lateSuccess(purchase: Pick<PurchaseRecord, 'id'>): void;
}

export type Tenant = ReturnType<typeof openTenant>;

/** Opens one tenant with its own clients, caches, limits and reconciler. */
export function openTenant(options: TenantOptions, shared: SharedDeps) {
  const { account, limitsOf, observer } = options;
  const { clock, randomness, config, audit, gateway } = shared;
  const { maxAges, upstream, purchases, server } = config;
  // Closed in the reverse order.
  const opened = new AsyncDisposableStack();
  const revision = new CacheRevision();
  const replicas = shared.sharedState?.of(account) ?? null;

  const clients = connectUpstream(options, shared, replicas, opened);
  const domainApi = createDomainApi(clients.domainActions, { clock, revision, maxAges, replicas });
  const maxAgeMs = maxAges.domainsMs;
  const snapshot = createSnapshot({ api: domainApi, clock, revision, maxAgeMs });
  opened.defer(() => snapshot.close());
  const settlementNotifier = createSettlementNotifier({ journal: shared.journal, account, clock });
  opened.defer(() => settlementNotifier.close());
  const journal = notifyingJournal(shared.journal, { settlementNotifier, replicas, observer });
  replicas?.onWrite(({ domain }) => snapshot.invalidate(domain));
  replicas?.onSettled(({ id, domain }) => {
    snapshot.invalidate(domain);
    void settlementNotifier.check(id);
  });

  const deadlineMs = writeDeadlineMs(upstream.timeoutMs);
  const deps: TenantDeps = {
    ...{ account, audit, clock, domainApi, gateway, journal, limitsOf, randomness, revision },
    ...{ snapshot, settlementNotifier },
    accountApi: clients.accountApi,
    maxUpstreamCalls: server.maxUpstreamCalls,
    sightings: createSightings(clock),
    idnRefusals: new IdnRefusals(clock),
    searchPace: createSearchPace({ clock, places: new ConcurrencyLimit(() => maxSearchCalls) }),
    quietWindowMs: quietAfterMarkMs(deadlineMs, purchases.quietWindowMs),
    writeDeadlineMs: deadlineMs,
    pace: transferPace,
  };
  const reconciler = createReconciler({ ...deps, everyMs: shared.reconcileEveryMs });
  opened.defer(() => reconciler.close());
  return {
    deps,
    upstreamState: clients.state,
    upstreamOverloadMs: clients.overloadMs,
    /** Waits for calls in flight. */
    close: (): Promise<void> => opened.disposeAsync(),
  };
}

interface Listeners {
  readonly settlementNotifier: SettlementNotifier;
  readonly replicas: TenantReplicas | null;
  readonly observer: TenantObserver;
}

/** The journal, which reports settled purchases to subscriptions of this process and to other replicas. */
const notifyingJournal = (
  journal: Journal,
  { settlementNotifier, replicas, observer }: Listeners,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && from.includes('FAILED')) observer.lateSuccess(moved);
    if (moved && isEnd(moved.state)) {
      void settlementNotifier.check(moved.id);
      replicas?.publishSettled(moved);
    }
    return moved;
  },
});
