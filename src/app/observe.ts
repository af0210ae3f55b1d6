import type { Config } from '../config/config.ts';
import { anonymous } from '../kernel/caller.ts';
import { Decimal, type Money } from '../kernel/money.ts';
import { spendUnits } from '../kernel/spend-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { StartError } from '../lib/errors.ts';
import { createCallObserver } from '../observability/call-observer.ts';
import { type Log, standardError } from '../observability/log.ts';
import {
  type ApiCalls,
  createMetrics,
  createTenantMetrics,
  type TenantSource,
} from '../observability/metrics.ts';
import { createTracing, type TraceSdk } from '../observability/tracing.ts';
import type { PurchaseRecord } from '../persistence/purchase-record.ts';
import { gaugeReads, type Tenant } from '../scope/tenant.ts';
import { createRequestObserver } from '../server/http/request-observer.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';

/** @throws StartError when the sources run without the development packages, which contain the SDK. */
export async function loadTraceExporter() {
  try {
    return await import('../observability/trace-exporter.ts');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const sentence = 'Traces cannot be exported without the development packages';
    throw new StartError(`${sentence}; run "npm ci", or unset OTEL_EXPORTER_OTLP_ENDPOINT.`, {
      cause,
    });
  }
}

export type Observation = ReturnType<typeof observe>;
export type TenantObserver = ReturnType<Observation['observerOf']>;

/** Creates the logs, traces and metrics of requests, upstream calls and purchases. Without an SDK there are no traces. */
export function observe(
  { observability, tenants }: Config,
  clock: Clock,
  log: Log,
  sdk: TraceSdk | null = null,
) {
  const tracing = sdk && createTracing(sdk, observability.namesOperations);
  const hasMetrics = observability.metricsPort !== undefined;
  const metrics = hasMetrics ? createMetrics(() => standardError.droppedLines()) : null;
  const names = tenants.map(({ name }) => name);
  const tenantMetrics = metrics && createTenantMetrics(metrics.registry, clock, names);
  const sinks = { clock, log, metrics, tracing };
  return {
    requests: createRequestObserver(sinks),
    /** Receives the events of one tenant. */
    observerOf: (tenant: string) => ({
      calls: createCallObserver(tenant, sinks),
      balancesRead: (balances: readonly Money[]): void =>
        tenantMetrics?.balancesRead(tenant, balances),
      /** A purchase was recorded as FAILED but happened, and is UNKNOWN now. */
      lateSuccess({ id }: Pick<PurchaseRecord, 'id'>): void {
        log.error('a purchase recorded as FAILED was made', { tenant, subject: id });
        tenantMetrics?.lateSuccess(tenant);
      },
    }),
    tenantOpened: (tenant: Tenant, upstreamState: () => UpstreamState): void =>
      tenantMetrics?.add({
        tenant: tenant.facts.tenant,
        journal: journalReader(tenant),
        calls: () => callsOf(upstreamState()),
      }),
    /** Creates the metrics of features; null without metrics. */
    factory: tenantMetrics?.factory ?? null,
    /** Null without metrics. */
    registry: metrics?.registry ?? null,
  };
}

const callsOf = ({ domain, account }: UpstreamState): readonly ApiCalls[] => [
  { api: 'domain', ...domain },
  ...(account ? [{ api: 'account', ...account }] : []),
];

const journalReader =
  ({ use, facts }: Tenant): TenantSource['journal'] =>
  async () => {
    const { journal, account, clock, limitsOf } = facts;
    const { perDay = [] } = limitsOf(anonymous).GATEWAY;
    const limits = perDay.map(async ({ amount, currency }) => {
      const cost = { amount: Decimal.zero, currency };
      const { spent } = await journal.spending({
        ...{ account, caller: null, cost, claimedAt: clock.now() },
      });
      const most = spendUnits({ amount, currency });
      return [currency, Number(spent.GATEWAY.units) / Math.max(1, most)] as const;
    });
    const [operations, spending, stop, backedUpAt] = await Promise.all([
      journal.countUnsettled(account),
      Promise.all(limits),
      journal.stopped(account),
      journal.lastBackup(),
      use(gaugeReads).emit(),
    ]);
    return { operations, spending, isStopped: stop !== null, backedUpAt };
  };
