import type { Config, MaxAges } from './config/config.ts';
import type { Caller } from './kernel/caller.ts';
import type { Clock, Randomness } from './kernel/clock.ts';
import { Fault } from './kernel/faults.ts';
import { leafOr } from './kernel/leaf.ts';
import type { Money } from './kernel/money.ts';
import { Revision } from './kernel/revision.ts';
import type { ScopedLimits } from './kernel/spend-limits.ts';
import { IdnRefusals } from './modules/availability/idn-refusals.ts';
import type { Deps } from './modules/deps.ts';
import { createSnapshot } from './modules/portfolio/snapshot.ts';
import { createReconciler } from './modules/purchase/reconciler.ts';
import { transferPace } from './modules/purchase/transfer-pace.ts';
import { createWatch } from './modules/purchase/watch.ts';
import { createWatcher } from './modules/purchase/watcher.ts';
import { quietAfterMarkMs } from './modules/registration/purchase.ts';
import { createSearchPace, mostSearchCalls } from './modules/search/pace.ts';
import { heardJournal } from './persistence/heard-journal.ts';
import type { Journal, PurchaseRecord } from './persistence/store.ts';
import type { SharedState } from './shared-state/shared-state.ts';
import { type AccountApi, createAccountApi } from './upstream/account-api/client.ts';
import { accountApi as accountRows } from './upstream/account-api/operations.ts';
import { writeDeadlineMs } from './upstream/call.ts';
import { createDomainApi, type DomainApi } from './upstream/domain-api/client.ts';
import type { ResellerDetails } from './upstream/domain-api/shapes.ts';
import { shareReads } from './upstream/domain-api/shared.ts';
import { type GateLimits, type GateOptions, gateLimits } from './upstream/gate.ts';
import type { UpstreamCall } from './upstream/operation.ts';
import { createConcurrencyLimit } from './upstream/policies/concurrency.ts';
import { createHoldStore, type HoldStore } from './upstream/policies/hold.ts';
import type { Login } from './upstream/policies/login-pause.ts';
import { createTurnStore } from './upstream/policies/rate.ts';
import type { UpstreamState } from './upstream/state.ts';
import { createTransport } from './upstream/transport.ts';
import type { UpstreamWatch } from './upstream/watch.ts';

/** What all reseller accounts of a process have in common. */
export interface TenantSurroundings {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly journal: Journal;
  /** Null where this replica is alone, or all go by their own. */
  readonly sharedState: SharedState | null;
  readonly timeoutMs: Config['upstreamTimeoutMs'];
  /** Concurrent calls at most, of one account at one API. */
  readonly concurrency: number;
  /** Calls a second at most, of one account at one API; 0 for as many as come. */
  readonly ratePerSecond: number;
  /** A request may be expected to wait this long for an upstream slot. */
  readonly queueBudgetMs: number;
  readonly upstreamLimits?: GateLimits;
  readonly quietWindowMs: number;
  readonly maxAges: MaxAges;
  readonly reconcileEveryMs: number;
  readonly audit: Deps['audit'];
  readonly maxUpstreamCalls: number;
  readonly gateway: Deps['gateway'];
}

/** One reseller account. */
export interface TenantOptions {
  /** The account that pays, as the journal knows it. */
  readonly account: string;
  readonly domainApiUrl: string;
  /** Null where there is none. */
  readonly accountApiUrl: string | null;
  /** Of the Domain API, as it is now; asked for each call. */
  readonly credentials: () => Login;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  readonly observer: AccountObserver;
}

/** Is told what happens to one reseller account. */
export interface AccountObserver {
  readonly watch: UpstreamWatch;
  /** Whenever somebody has read them. */
  balancesRead(balances: readonly Money[]): void;
  /** A purchase that the journal had as FAILED was made after all, and is UNKNOWN now. */
  lateSuccess(purchase: Pick<PurchaseRecord, 'id'>): void;
}

export interface Tenant {
  readonly deps: Deps;
  /** How its calls fare, for those who look after the gateway. */
  upstreamState(): UpstreamState;
  /** The expected wait for a slot at the Domain API, in milliseconds, when it exceeds the queue budget; else 0. */
  upstreamOverloadMs(isPurchase: boolean): number;
  /** Lets calls under way end. */
  close(): Promise<void>;
}

/** Opens one reseller account: clients, caches, limits and the search for the end of its open purchases, all its own. */
export function openTenant(options: TenantOptions, surroundings: TenantSurroundings): Tenant {
  const { clock, randomness, timeoutMs, maxAges, reconcileEveryMs } = surroundings;
  const { concurrency, ratePerSecond, queueBudgetMs, upstreamLimits } = surroundings;
  const { account, domainApiUrl, accountApiUrl, credentials, limitsOf, observer } = options;
  const opened = new AsyncDisposableStack();
  const revision = new Revision();
  const replicas = surroundings.sharedState?.of(account) ?? null;
  const connect = (api: UpstreamCall['api'], baseUrl: string) => {
    const transport = opened.adopt(createTransport({ baseUrl, connections: concurrency }), (it) =>
      it.close(),
    );
    return {
      transport: transport.send,
      timeoutMs,
      clock,
      randomness,
      maxInFlight: concurrency,
      ratePerSecond,
      queueBudgetMs,
      ...(upstreamLimits && { limits: upstreamLimits }),
      ...(replicas && { shared: boundsOf(api, replicas, surroundings) }),
      watch: observer.watch,
    };
  };
  const domain = createDomainApi({ ...connect('domain', domainApiUrl), credentials });
  const domainApi = shareReads(tellingBalances(domain.api, observer), {
    clock,
    revision,
    maxAges,
    replicas,
  });
  const accountClient = accountApiUrl ? createAccountApi(connect('account', accountApiUrl)) : null;
  const snapshot = createSnapshot({
    api: domainApi,
    clock,
    revision,
    maxAgeMs: maxAges.domainsMs,
  });
  opened.defer(() => snapshot.close());
  const deadlineMs = writeDeadlineMs(timeoutMs);
  const watcher = opened.adopt(
    createWatcher({ journal: surroundings.journal, account, clock }),
    (it) => it.close(),
  );
  const journal = heardJournal(surroundings.journal, {
    onEnd(purchase) {
      void watcher.hear(purchase.id);
      replicas?.tellSettled(purchase);
    },
    onLateSuccess: (purchase) => observer.lateSuccess(purchase),
  });
  replicas?.onWrite(({ domain }) => snapshot.touched(domain));
  replicas?.onSettled(({ id, domain }) => {
    snapshot.touched(domain);
    void watcher.hear(id);
  });
  const deps: Deps = {
    clock,
    randomness,
    journal,
    domainApi,
    snapshot,
    revision,
    accountApi: accountClient?.api ?? noAccountApi(),
    audit: surroundings.audit,
    account,
    limitsOf,
    maxUpstreamCalls: surroundings.maxUpstreamCalls,
    gateway: surroundings.gateway,
    watch: createWatch(clock),
    watcher,
    idnRefusals: new IdnRefusals(clock),
    searchPace: createSearchPace({ clock, places: createConcurrencyLimit(mostSearchCalls) }),
    quietWindowMs: quietAfterMarkMs(deadlineMs, surroundings.quietWindowMs),
    writeDeadlineMs: deadlineMs,
    pace: transferPace,
  };
  opened.adopt(createReconciler({ ...deps, everyMs: reconcileEveryMs }), (it) => it.close());
  return {
    deps,
    upstreamState: () => ({ domain: domain.state(), account: accountClient?.state() ?? null }),
    upstreamOverloadMs: domain.overloadMs,
    close: () => opened.disposeAsync(),
  };
}

/** What the service bounds the calls of an account by, kept to by all its replicas together. */
function boundsOf(
  api: UpstreamCall['api'],
  replicas: ReturnType<SharedState['of']>,
  { clock, ratePerSecond, upstreamLimits = gateLimits }: TenantSurroundings,
): NonNullable<GateOptions['shared']> {
  const own = createHoldStore(clock);
  replicas.onHold((told) => {
    if (told.api === api) own.extend(Math.min(told.ms, upstreamLimits.longestHoldMs));
  });
  const hold: HoldStore = {
    leftMs: own.leftMs,
    extend(ms) {
      own.extend(ms);
      replicas.tellHold({ api, ms });
    },
  };
  if (ratePerSecond === 0) return { hold };
  const turns = createTurnStore(ratePerSecond, clock);
  return { hold, turns: replicas.turns(api, ratePerSecond, turns) };
}

const tellingBalances = (api: DomainApi, { balancesRead }: AccountObserver): DomainApi => ({
  ...api,
  async resellerdetails(request, options) {
    const answer = await api.resellerdetails(request, options);
    balancesRead(readable(answer));
    return answer;
  },
});

const readable = ({ balances }: ResellerDetails): readonly Money[] =>
  leafOr(balances, []).flatMap(({ money }) => leafOr(money, []));

/** Stands in where no Account API is configured: every call says so, and that nothing was sent. */
function noAccountApi(): AccountApi {
  const refuse = async () => {
    throw new Fault('NOT_SUPPORTED', {
      message: 'This gateway has no Account API: its operator has not set ACCOUNT_API_URL.',
    });
  };
  const functions = Object.keys(accountRows).map((name) => [name, refuse]);
  return Object.fromEntries(functions) as AccountApi;
}
