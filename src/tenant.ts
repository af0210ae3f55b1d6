import type { Config, MaxAges } from './config/config.ts';
import type { Caller } from './kernel/caller.ts';
import type { Clock, Randomness } from './kernel/clock.ts';
import { Fault } from './kernel/faults.ts';
import { Revision } from './kernel/revision.ts';
import type { Secret } from './kernel/secret.ts';
import type { ScopedLimits } from './kernel/spend-limits.ts';
import type { Deps } from './modules/deps.ts';
import { createReconciler } from './modules/operation/reconciler.ts';
import { createWatch } from './modules/operation/watch.ts';
import { createWatcher } from './modules/operation/watcher.ts';
import { createSnapshot } from './modules/portfolio/snapshot.ts';
import { quietAfterMarkMs } from './modules/registration/purchase.ts';
import { createSearchPace, mostSearchCalls } from './modules/search/pace.ts';
import type { Journal } from './persistence/store.ts';
import { type AccountApi, createAccountApi } from './upstream/account-api/client.ts';
import { accountApi as accountRows } from './upstream/account-api/operations.ts';
import { writeDeadlineMs } from './upstream/call.ts';
import { createDomainApi } from './upstream/domain-api/client.ts';
import { shareReads } from './upstream/domain-api/shared.ts';
import { createConcurrencyLimit } from './upstream/policies/concurrency.ts';
import { createTransport } from './upstream/transport.ts';

/** What all reseller accounts of a process have in common. */
export interface TenantSurroundings {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly journal: Journal;
  readonly timeoutMs: Config['upstreamTimeoutMs'];
  readonly quietWindowMs: number;
  readonly maxAges: MaxAges;
  readonly reconcileEveryMs: number;
  readonly maxUpstreamCalls: number;
}

/** One reseller account. */
export interface TenantOptions {
  /** The account that pays, as the journal knows it. */
  readonly account: string;
  readonly domainApiUrl: string;
  /** Null where there is none. */
  readonly accountApiUrl: string | null;
  readonly username: Secret;
  readonly password: Secret;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
}

export interface Tenant {
  readonly deps: Deps;
  /** Ends what is waited for without a call under way, such as a subscription. */
  endStreams(): Promise<void>;
  /** Lets calls under way end. */
  close(): Promise<void>;
}

/** Opens one reseller account: clients, caches, limits and the search for the end of its open purchases, all its own. */
export function openTenant(options: TenantOptions, surroundings: TenantSurroundings): Tenant {
  const { clock, randomness, journal, timeoutMs, maxAges, reconcileEveryMs } = surroundings;
  const { account, domainApiUrl, accountApiUrl, username, password, limitsOf } = options;
  const opened = new AsyncDisposableStack();
  const revision = new Revision();
  const connect = (baseUrl: string) => {
    const transport = opened.adopt(createTransport({ baseUrl }), (it) => it.close());
    return { transport: transport.send, timeoutMs, clock, randomness };
  };
  const domainApi = shareReads(
    createDomainApi({
      ...connect(domainApiUrl),
      credentials: { username: username.reveal(), password },
    }),
    { clock, revision, maxAges },
  );
  const accountApi = accountApiUrl ? createAccountApi(connect(accountApiUrl)) : noAccountApi();
  const snapshot = createSnapshot({
    api: domainApi,
    clock,
    revision,
    maxAgeMs: maxAges.domainsMs,
  });
  opened.defer(() => snapshot.close());
  const deadlineMs = writeDeadlineMs(timeoutMs);
  const watcher = createWatcher({ journal, account, clock });
  const deps: Deps = {
    clock,
    randomness,
    journal,
    domainApi,
    snapshot,
    revision,
    accountApi,
    account,
    limitsOf,
    maxUpstreamCalls: surroundings.maxUpstreamCalls,
    watch: createWatch(clock),
    watcher,
    searchPace: createSearchPace({ clock, places: createConcurrencyLimit(mostSearchCalls) }),
    quietWindowMs: quietAfterMarkMs(deadlineMs, surroundings.quietWindowMs),
    writeDeadlineMs: deadlineMs,
  };
  opened.adopt(createReconciler({ ...deps, everyMs: reconcileEveryMs }), (it) => it.close());
  return {
    deps,
    endStreams: () => watcher.close(),
    close: () => opened.disposeAsync(),
  };
}

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
