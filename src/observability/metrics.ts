import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Counter, Gauge, Registry } from 'prom-client';
import type { Money } from '../kernel/money.ts';
import type { Clock } from '../lib/clock.ts';
import { prometheus } from '../lib/packages.cjs';
import type { BegunCall } from './tracing.ts';

export type MetricFactory = ReturnType<typeof metricFactory>;

/** Creates metrics in a registry. Their names begin with `reseller_graph_`. `collect` is called before each scrape. */
export function metricFactory(registry: Registry) {
  const { Counter, Gauge, Histogram } = prometheus();
  const facts = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => ({
    ...{ registers: [registry], name: `reseller_graph_${name}`, help, labelNames },
  });
  return {
    counter: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: (this: Counter<Label>) => void,
    ) => new Counter({ ...facts(name, help, labels), ...(collect && { collect }) }),
    gauge: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: (this: Gauge<Label>) => void | Promise<void>,
    ) => new Gauge({ ...facts(name, help, labels), ...(collect && { collect }) }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels: readonly Label[] = [],
    ) => new Histogram({ ...facts(name, help, labels), buckets }),
  };
}

/** One request that was answered or aborted. */
interface EndedRequest {
  readonly kind: string;
  readonly status: number;
  readonly outcome: 'finished' | 'aborted';
  readonly durationMs: number;
  readonly codes: readonly string[];
  readonly isResponseCached: boolean;
}

/** Where the result of an upstream operation came from. */
type ResultSource = 'sent' | 'shared' | 'cache' | 'stale';

export type Metrics = ReturnType<typeof createMetrics>;

const requestSeconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const callSeconds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const batchNames = [1, 2, 5, 10, 20, 50, 100];

/**
 * Prometheus metrics of this process. Every label has a fixed set of values, so that clients cannot create time series.
 * `droppedLogLines` returns the number since the process started.
 */
export function createMetrics(droppedLogLines: () => number) {
  const { collectDefaultMetrics, Registry } = prometheus();
  const registry = new Registry();
  const create = metricFactory(registry);
  collectDefaultMetrics({ register: registry });
  create.counter(
    'log_lines_dropped_total',
    'Log lines that were dropped because standard error was not read in time.',
    [],
    function () {
      this.reset();
      this.inc(droppedLogLines());
    },
  );
  return {
    registry,
    ...createRequestMetrics(create),
    ...createCallMetrics(create),
  };
}

function createRequestMetrics({ counter, gauge, histogram }: MetricFactory) {
  const requests = counter(
    'requests_total',
    'HTTP requests by GraphQL operation type, status class, and whether the client received the response.',
    ['kind', 'status', 'outcome'],
  );
  const duration = histogram(
    'request_duration_seconds',
    'From the request head to the end of the response; event streams are excluded.',
    requestSeconds,
    ['kind'],
  );
  const inFlight = gauge('requests_in_flight', 'Requests in progress, including event streams.');
  const streams = gauge('event_streams', 'Open subscriptions.');
  const errors = counter('errors_total', 'Responses with an error of this code at the top level.', [
    'code',
  ]);
  const cachedResponses = counter(
    'cached_responses_total',
    'Responses that came from the response cache, without execution.',
  );

  return {
    requestBegun: (): void => inFlight.inc(),
    streamBegun: (): void => streams.inc(),
    requestEnded(request: EndedRequest): void {
      const { kind, status, outcome, durationMs } = request;
      inFlight.dec();
      requests.inc({ kind, status: `${Math.floor(status / 100)}xx`, outcome });
      if (kind === 'subscription') streams.dec();
      else duration.observe({ kind }, durationMs / 1000);
      for (const code of request.codes) errors.inc({ code });
      if (request.isResponseCached) cachedResponses.inc();
    },
  };
}

function createCallMetrics({ counter, gauge, histogram }: MetricFactory) {
  const results = counter(
    'upstream_answers_total',
    'Upstream results that requests used: sent, shared with a call in flight, from the cache, or stale from the cache.',
    ['action', 'source'],
  );
  const calls = counter(
    'upstream_calls_total',
    'Attempts of upstream calls by outcome: OK, ABORTED, or an error code.',
    ['tenant', 'api', 'action', 'outcome'],
  );
  const unavailable = counter(
    'upstream_unavailable_total',
    'Attempts of upstream calls that found the upstream unavailable, by reason: refused, host (no address), route, tls, timeout, closed, response (such as status 502) or other.',
    ['tenant', 'api', 'reason'],
  );
  const duration = histogram(
    'upstream_call_duration_seconds',
    'Duration of attempts of upstream calls.',
    callSeconds,
    ['api', 'action'],
  );
  const inFlight = gauge('upstream_calls_in_flight', 'Upstream calls in flight.', ['api']);
  const batches = histogram('upstream_batch_names', 'Names in one bulk call.', batchNames);

  return {
    resultUsed: (action: string, source: ResultSource): void => results.inc({ action, source }),
    /** `tenant` is a configured one. */
    call(tenant: string, { api, action, batch }: BegunCall) {
      inFlight.inc({ api });
      if (batch !== undefined) batches.observe(batch);
      return {
        end(outcome: string, durationMs: number, reason: string | null): void {
          inFlight.dec({ api });
          if (reason !== null) unavailable.inc({ tenant, api, reason });
          duration.observe({ api, action }, durationMs / 1000);
          calls.inc({ tenant, api, action, outcome });
        },
      };
    },
  };
}

/** The metric exists once there is such a file. */
export function ruleFileMetric(
  { gauge }: Pick<MetricFactory, 'gauge'>,
  what: string,
  setting: string,
) {
  let usable: ReturnType<typeof gauge> | undefined;
  return (isUsable: boolean): void => {
    usable ??= gauge(
      `${what}_file_usable`,
      `Whether ${setting} could be used when it was last read: 1, or 0 while the last usable content is in force.`,
    );
    usable.set(isUsable ? 1 : 0);
  };
}

/** Responds to `GET /metrics` only; it belongs on a port that clients of the graph cannot reach. */
export const createMetricsPage =
  (registry: Registry) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Request GET /metrics.\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };

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
