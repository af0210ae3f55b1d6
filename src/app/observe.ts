import type { Clock } from '../lib/clock.ts';
import type { TenantDeps } from '../modules/deps.ts';
import { createCallObserver } from '../observability/call-observer.ts';
import type { Log } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { standardError } from '../observability/standard-error.ts';
import {
  type ApiCalls,
  createTenantMetrics,
  type TenantSource,
} from '../observability/tenant-metrics.ts';
import { createTracing } from '../observability/tracing.ts';
import type { PurchaseState } from '../persistence/store.ts';
import { graphqlPath } from '../server/app.ts';
import { createRequestObserver } from '../server/http/request-observer.ts';
import { accountApi } from '../upstream/account-api/operations.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';
import { domainApi } from '../upstream/domain-api/operations.ts';
import type { Tenant, TenantObserver } from './tenant.ts';

export interface ObserveOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether metrics are collected. */
  readonly hasMetrics: boolean;
  /** The names of all tenants. */
  readonly tenants: readonly string[];
}

export type Observation = ReturnType<typeof observe>;

/** Creates the logs, traces and metrics of requests, upstream calls and purchases. */
export function observe({ clock, log, hasMetrics, tenants }: ObserveOptions) {
  const tracing = createTracing();
  const metrics = hasMetrics
    ? createMetrics({ actions, droppedLogLines: () => standardError.droppedLines() })
    : null;
  const tenantMetrics = metrics && createTenantMetrics({ ...metrics, clock, tenants });
  const sinks = { clock, log, metrics, tracing };
  return {
    requests: createRequestObserver(graphqlPath, sinks),
    observerOf: (tenant: string): TenantObserver => ({
      calls: createCallObserver(tenant, sinks),
      balancesRead: (balances) => tenantMetrics?.balancesRead(tenant, balances),
      lateSuccess({ id }) {
        log.error('a purchase recorded as FAILED was made', { tenant, subject: id });
        tenantMetrics?.lateSuccess(tenant);
      },
    }),
    tenantOpened: (tenant: string, { deps, upstreamState }: Tenant): void =>
      tenantMetrics?.add({
        tenant,
        journal: journalReader(deps),
        calls: () => callsOf(upstreamState()),
      }),
    /** Null without metrics. */
    registry: metrics?.registry ?? null,
  };
}

const actions = new Set([
  ...Object.keys(domainApi),
  ...Object.values(accountApi).map(({ method, path }) => `${method} ${path}`),
]);

const callsOf = ({ domain, account }: UpstreamState): readonly ApiCalls[] => [
  { api: 'domain', ...domain },
  ...(account ? [{ api: 'account', ...account }] : []),
];

/** Settled purchases are not counted: that would read the whole journal. */
const countedStates: readonly PurchaseState[] = [
  'CLAIMED',
  'SENDING',
  'PENDING',
  'IN_PROGRESS',
  'UNKNOWN',
];

const journalReader =
  ({ journal, account }: Pick<TenantDeps, 'journal' | 'account'>): TenantSource['journal'] =>
  async () => {
    const counts = countedStates.map(
      async (state) => [state, await journal.count(account, { states: [state] })] as const,
    );
    const [operations, stop] = await Promise.all([Promise.all(counts), journal.stopped(account)]);
    return { operations: new Map(operations), isStopped: stop !== null };
  };
