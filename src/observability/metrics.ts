import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BegunCall } from './tracing.ts';

export type MetricFactory = ReturnType<typeof metricFactory>;

/** Creates metrics in a registry. Their names begin with `reseller_graph_`. `collect` is called before each scrape. */
export function metricFactory(registry: Registry) {
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
