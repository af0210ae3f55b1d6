import type { Clock } from './kernel/clock.ts';
import type { Deps } from './modules/deps.ts';
import {
  type AccountSource,
  type BreakerFigures,
  type ConcurrencyFigures,
  createAccountMetrics,
} from './observability/account-metrics.ts';
import type { Log } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { standardError } from './observability/standard-error.ts';
import { createTracing } from './observability/tracing.ts';
import { createUpstreamWatch } from './observability/upstream-watch.ts';
import type { PurchaseState } from './persistence/store.ts';
import { graphqlPath } from './server/app.ts';
import type { Figures } from './server/metrics-page.ts';
import { createRequestWatch, type RequestWatch } from './server/request-watch.ts';
import type { AccountObserver, Tenant } from './tenant.ts';
import { accountApi } from './upstream/account-api/operations.ts';
import { domainApi } from './upstream/domain-api/operations.ts';
import type { UpstreamState } from './upstream/state.ts';

export interface ObserveOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether anybody reads figures; without it none are counted. */
  readonly isMeasured: boolean;
  /** The names of all reseller accounts. */
  readonly tenants: readonly string[];
}

/** All that watches the gateway: logs, traces and metrics of its requests, calls and purchases. */
export interface Observation {
  readonly requests: RequestWatch;
  /** What one reseller account is to tell. */
  account(tenant: string): AccountObserver;
  /** To be called once the account is open. */
  opened(tenant: string, opened: Pick<Tenant, 'deps' | 'upstreamState'>): void;
  /** Null where nothing is counted. */
  readonly figures: Figures | null;
}

export function observe({ clock, log, isMeasured, tenants }: ObserveOptions): Observation {
  const tracing = createTracing();
  const metrics = isMeasured
    ? createMetrics({ actions, droppedLogLines: () => standardError.droppedLines() })
    : null;
  const accounts = metrics && createAccountMetrics({ ...metrics, clock, tenants });
  const watching = { clock, log, metrics, tracing };
  return {
    requests: createRequestWatch({ ...watching, graphqlPath }),
    account: (tenant) => ({
      watch: createUpstreamWatch(tenant, watching),
      balancesRead: (balances) => accounts?.balancesRead(tenant, balances),
      lateSuccess({ id }) {
        log.error('a purchase recorded as FAILED was made', { tenant, subject: id });
        accounts?.lateSuccess(tenant);
      },
    }),
    opened: (tenant, { deps, upstreamState }) =>
      accounts?.add({
        tenant,
        journal: readingOf(deps),
        breakers: () => breakersOf(upstreamState()),
        concurrency: () => concurrencyOf(upstreamState()),
      }),
    figures: metrics?.registry ?? null,
  };
}

const actions = new Set([
  ...Object.keys(domainApi),
  ...Object.values(accountApi).map(({ method, path }) => `${method} ${path}`),
]);

const breakersOf = ({ domain, account }: UpstreamState): readonly BreakerFigures[] =>
  Object.entries({ domain, account }).flatMap(([api, state]) =>
    Object.entries(state?.actions ?? {}).map(([action, { breaker }]) => ({
      api,
      action,
      state: breaker,
    })),
  );

const concurrencyOf = ({ domain, account }: UpstreamState): readonly ConcurrencyFigures[] =>
  Object.entries({ domain, account }).flatMap(([api, state]) =>
    state ? [{ api, limit: state.concurrencyLimit }] : [],
  );

/** What nobody has to look after any more is not counted: that would read the whole journal. */
const countedStates: readonly PurchaseState[] = [
  'CLAIMED',
  'SENDING',
  'PENDING',
  'IN_PROGRESS',
  'UNKNOWN',
];

const readingOf =
  ({ journal, account }: Pick<Deps, 'journal' | 'account'>): AccountSource['journal'] =>
  async () => {
    const counts = countedStates.map(
      async (state) => [state, await journal.count(account, { states: [state] })] as const,
    );
    const [operations, stop] = await Promise.all([Promise.all(counts), journal.stopped(account)]);
    return { operations: new Map(operations), isStopped: stop !== null };
  };
