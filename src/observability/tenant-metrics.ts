import type { Gauge, Registry } from 'prom-client';
import type { Money } from '../kernel/money.ts';
import type { Clock } from '../lib/clock.ts';
import { type MetricFactory, metricFactory } from './metrics.ts';

/** The state of the calls of one tenant to one upstream API. */
export interface ApiCalls {
  readonly api: string;
  readonly concurrencyLimit: number;
  /** By upstream action. */
  readonly breakers: Readonly<Record<string, keyof typeof breakerLevels>>;
}

/** How the metrics of one tenant are read. */
export interface TenantSource {
  readonly tenant: string;
  /** The number of open purchases by state. Rejects when the journal cannot be read. */
  readonly journal: () => Promise<{
    readonly operations: Iterable<readonly [state: string, count: number]>;
    readonly isStopped: boolean;
    /** The used share of each daily spend limit of the tenant. */
    readonly spending: Iterable<readonly [currency: string, ratio: number]>;
    /** When the last backup of the journal, which all tenants share, was made. */
    readonly backedUpAt: Date | null;
  }>;
  readonly calls: () => readonly ApiCalls[];
}

/** Creates metrics of features, for all `tenants`. */
export type TenantMetricFactory = MetricFactory & {
  /** A gauge that is set when the journal is read. */
  readonly journalGauge: JournalGauge;
  readonly clock: Clock;
  readonly tenants: readonly string[];
};

type JournalGauge = <Label extends string = never>(
  name: string,
  help: string,
  ...labels: readonly Label[]
) => Gauge<'tenant' | Label>;

/** The journal is read at most this often, at any scrape interval. */
const journalMaxAgeMs = 10_000;
const currencyCode = /^[A-Z]{3}$/;
const breakerLevels = { closed: 0, 'half-open': 1, open: 2 } as const;

/** Metrics of purchases, balances and limits of all `tenants`. A scrape makes no upstream call. */
export function createTenantMetrics(registry: Registry, clock: Clock, tenants: readonly string[]) {
  /** By tenant. */
  const sources = new Map<string, TenantSource>();
  const create = metricFactory(registry);
  const journalGauge = createJournalGauges(create, clock, sources);
  createUpstreamGauges(create, sources);
  const countByTenant = (name: string, help: string) => {
    const counter = create.counter(name, help, ['tenant']);
    for (const tenant of tenants) counter.inc({ tenant }, 0);
    return (tenant: string): void => counter.inc({ tenant });
  };
  return {
    factory: { ...create, journalGauge, clock, tenants } satisfies TenantMetricFactory,
    /** Replaces the source of its tenant. */
    add: (source: TenantSource): void => void sources.set(source.tenant, source),
    lateSuccess: countByTenant(
      'late_successes_total',
      'Purchases that were recorded as FAILED but happened; each is UNKNOWN now.',
    ),
    ...createBalances(create, clock, tenants),
  };
}

function createJournalGauges(
  { gauge }: MetricFactory,
  clock: Clock,
  sources: ReadonlyMap<string, TenantSource>,
): JournalGauge {
  let latest: { readonly atMs: number; readonly end: Promise<void> } | null = null;
  // The gauges share one read.
  const collect = (): Promise<void> => {
    const atMs = clock.monotonicMs();
    if (!latest || atMs - latest.atMs >= journalMaxAgeMs) latest = { atMs, end: readAll() };
    return latest.end;
  };
  const ofTenant: JournalGauge = (name, help, ...labels) =>
    gauge(name, help, ['tenant', ...labels], collect);
  const operations = ofTenant(
    'operations',
    'Purchases in the journal that have not settled, by state; UNKNOWN ones need a person.',
    'state',
  );
  const stopped = ofTenant('purchases_stopped', '1 while the operator has stopped all purchases.');
  const spending = ofTenant(
    'spend_limit_used_ratio',
    'Used share of the daily spend limit of the tenant, from 0 to 1.',
    'currency',
  );
  const journalUp = gauge(
    'journal_up',
    '1 when the journal could be read; without it all purchases are refused.',
    [],
    collect,
  );

  const backup = gauge(
    'backup_timestamp_seconds',
    'Unix time of the last backup of the SQLite journal; absent while there is none, and with PostgreSQL.',
    [],
    collect,
  );
  // A gauge without labels begins with 0.
  backup.remove();

  async function readAll(): Promise<void> {
    const read = await Promise.allSettled([...sources.values()].map(readJournal));
    journalUp.set(read.every(({ status }) => status === 'fulfilled') ? 1 : 0);
  }

  async function readJournal({ tenant, journal }: TenantSource): Promise<void> {
    const { operations: byState, isStopped, spending: used, backedUpAt } = await journal();
    for (const [currency, ratio] of used) {
      if (currencyCode.test(currency)) spending.set({ tenant, currency }, ratio);
    }
    for (const [state, count] of byState) operations.set({ tenant, state }, count);
    stopped.set({ tenant }, isStopped ? 1 : 0);
    if (backedUpAt) backup.set(backedUpAt.getTime() / 1000);
  }

  return ofTenant;
}

function createUpstreamGauges(
  { gauge }: MetricFactory,
  sources: ReadonlyMap<string, TenantSource>,
): void {
  gauge(
    'breaker_state',
    'Circuit breaker of an upstream action: 0 closed, 1 half-open, 2 open.',
    ['tenant', 'api', 'action'],
    function () {
      for (const { tenant, api, breakers } of callsOf(sources)) {
        for (const [action, breaker] of Object.entries(breakers)) {
          this.set({ tenant, api, action }, breakerLevels[breaker]);
        }
      }
    },
  );
  gauge(
    'upstream_concurrency_limit',
    'Concurrent upstream calls allowed now; below UPSTREAM_CONCURRENCY while the upstream shows overload.',
    ['tenant', 'api'],
    function () {
      for (const { tenant, api, concurrencyLimit } of callsOf(sources)) {
        this.set({ tenant, api }, concurrencyLimit);
      }
    },
  );
}

const callsOf = (sources: ReadonlyMap<string, TenantSource>) =>
  [...sources.values()].flatMap(({ tenant, calls }) => calls().map((api) => ({ tenant, ...api })));

function createBalances({ gauge }: MetricFactory, clock: Clock, tenants: readonly string[]) {
  const balance = gauge('balance', 'Balance of the tenant when a request last read it.', [
    'tenant',
    'currency',
  ]);
  const readAt = gauge('balance_read_timestamp_seconds', 'Unix time of that read.', ['tenant']);
  return {
    /** Call this whenever a request has read the balances of a tenant. */
    balancesRead(tenant: string, balances: readonly Money[]): void {
      if (!tenants.includes(tenant)) return;
      for (const { amount, currency } of balances) {
        if (currencyCode.test(currency)) {
          balance.set({ tenant, currency }, Number(amount.toString()));
        }
      }
      readAt.set({ tenant }, clock.now().getTime() / 1000);
    },
  };
}
