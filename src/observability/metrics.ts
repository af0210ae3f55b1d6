import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BegunCall } from './begun-call.ts';

/** One request that was answered or aborted. */
interface EndedRequest {
  readonly kind: string;
  readonly status: number;
  readonly outcome: 'finished' | 'aborted';
  readonly durationMs: number;
  readonly codes: readonly string[];
  readonly responseCached: boolean;
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
  collectDefaultMetrics({ register: registry });
  countDroppedLogLines(registry, droppedLogLines);
  return {
    registry,
    ...createRequestMetrics(registry),
    ...createCallMetrics(registry),
    priceFileRead: createRuleFileMetric(registry, 'price', 'PRICES_FILE'),
    approvalFileRead: createRuleFileMetric(registry, 'approval', 'APPROVALS_FILE'),
  };
}

function createRequestMetrics(registry: Registry) {
  const common = { registers: [registry] };
  const requests = new Counter({
    ...common,
    name: 'reseller_graph_requests_total',
    help: 'HTTP requests by GraphQL operation type, status class, and whether the client received the response.',
    labelNames: ['kind', 'status', 'outcome'],
  });
  const duration = new Histogram({
    ...common,
    name: 'reseller_graph_request_duration_seconds',
    help: 'From the request head to the end of the response; event streams are excluded.',
    labelNames: ['kind'],
    buckets: requestSeconds,
  });
  const inFlight = new Gauge({
    ...common,
    name: 'reseller_graph_requests_in_flight',
    help: 'Requests in progress, including event streams.',
  });
  const streams = new Gauge({
    ...common,
    name: 'reseller_graph_event_streams',
    help: 'Open subscriptions.',
  });
  const errors = new Counter({
    ...common,
    name: 'reseller_graph_errors_total',
    help: 'Responses with an error of this code at the top level.',
    labelNames: ['code'],
  });
  const cachedResponses = new Counter({
    ...common,
    name: 'reseller_graph_cached_responses_total',
    help: 'Responses that came from the response cache, without execution.',
  });

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
      if (request.responseCached) cachedResponses.inc();
    },
  };
}

function createCallMetrics(registry: Registry) {
  const common = { registers: [registry] };
  const results = new Counter({
    ...common,
    name: 'reseller_graph_upstream_answers_total',
    help: 'Upstream results that requests used: sent, shared with a call in flight, from the cache, or stale from the cache.',
    labelNames: ['action', 'source'],
  });
  const calls = new Counter({
    ...common,
    name: 'reseller_graph_upstream_calls_total',
    help: 'Attempts of upstream calls by outcome: OK, ABORTED, or an error code.',
    labelNames: ['tenant', 'api', 'action', 'outcome'],
  });
  const unavailable = new Counter({
    ...common,
    name: 'reseller_graph_upstream_unavailable_total',
    help: 'Attempts of upstream calls that found the upstream unavailable, by reason: refused, host (no address), route, tls, timeout, closed, response (such as status 502) or other.',
    labelNames: ['tenant', 'api', 'reason'],
  });
  const duration = new Histogram({
    ...common,
    name: 'reseller_graph_upstream_call_duration_seconds',
    help: 'Duration of attempts of upstream calls.',
    labelNames: ['api', 'action'],
    buckets: callSeconds,
  });
  const inFlight = new Gauge({
    ...common,
    name: 'reseller_graph_upstream_calls_in_flight',
    help: 'Upstream calls in flight.',
    labelNames: ['api'],
  });
  const batches = new Histogram({
    ...common,
    name: 'reseller_graph_upstream_batch_names',
    help: 'Names in one bulk call.',
    buckets: batchNames,
  });

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
function createRuleFileMetric(registry: Registry, what: string, setting: string) {
  let usable: Gauge | undefined;
  return (isUsable: boolean): void => {
    usable ??= new Gauge({
      registers: [registry],
      name: `reseller_graph_${what}_file_usable`,
      help: `Whether ${setting} could be used when it was last read: 1, or 0 while the last usable content is in force.`,
    });
    usable.set(isUsable ? 1 : 0);
  };
}

function countDroppedLogLines(registry: Registry, droppedLogLines: () => number): void {
  new Counter({
    registers: [registry],
    name: 'reseller_graph_log_lines_dropped_total',
    help: 'Log lines that were dropped because standard error was not read in time.',
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
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
