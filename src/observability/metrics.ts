import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { faults } from '../kernel/faults.ts';

export interface MetricsOptions {
  /** Every action of the service that there is; any other is counted as `other`. */
  readonly actions: ReadonlySet<string>;
  /** Log lines that standard error did not take since the process started. */
  readonly droppedLogLines: () => number;
}

/** One request that has been answered or given up. */
export interface EndedRequest {
  readonly kind: string;
  readonly status: number;
  readonly outcome: 'finished' | 'aborted';
  readonly durationMs: number;
  readonly codes: readonly string[];
  readonly isRepeated: boolean;
}

/** How an answer of the service came to whoever asked for it. */
export type AnswerSource = 'sent' | 'shared' | 'kept' | 'stale';

interface BegunCall {
  readonly api: string;
  readonly action: string;
  readonly batch?: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

const other = 'other';
const codes: ReadonlySet<string> = new Set(Object.keys(faults));
const outcomes: ReadonlySet<string> = new Set([...codes, 'OK', 'ABORTED']);
const requestSeconds = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const callSeconds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const batchNames = [1, 2, 5, 10, 20, 50, 100];

/**
 * The figures of this process, for Prometheus. Every label has a closed list of values, so that nobody outside can make
 * one more series.
 */
export function createMetrics({ actions, droppedLogLines }: MetricsOptions) {
  const registry = new Registry();
  const common = { registers: [registry] };
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    ...common,
    name: 'reseller_graph_requests_total',
    help: 'HTTP requests, by what was asked of the graph, class of the status, and whether the caller heard the answer.',
    labelNames: ['kind', 'status', 'outcome'],
  });
  const requestDuration = new Histogram({
    ...common,
    name: 'reseller_graph_request_duration_seconds',
    help: 'From the head of a request to the end of its answer; event streams are not in it.',
    labelNames: ['kind'],
    buckets: requestSeconds,
  });
  const inFlight = new Gauge({
    ...common,
    name: 'reseller_graph_requests_in_flight',
    help: 'Requests that are not answered yet, event streams among them.',
  });
  const streams = new Gauge({
    ...common,
    name: 'reseller_graph_event_streams',
    help: 'Subscriptions that are open.',
  });
  const errors = new Counter({
    ...common,
    name: 'reseller_graph_errors_total',
    help: 'Answers with an error of this code at the top level.',
    labelNames: ['code'],
  });
  const repeated = new Counter({
    ...common,
    name: 'reseller_graph_repeated_answers_total',
    help: 'Answers that were told again as they were, without executing anything.',
  });
  const answers = new Counter({
    ...common,
    name: 'reseller_graph_upstream_answers_total',
    help: 'What requests needed of the service: sent for, shared with a call under way, kept from before, or kept and stale.',
    labelNames: ['action', 'source'],
  });
  const calls = new Counter({
    ...common,
    name: 'reseller_graph_upstream_calls_total',
    help: 'Attempts at calls of the service, by outcome: OK, ABORTED, or the code of the fault.',
    labelNames: ['tenant', 'api', 'action', 'outcome'],
  });
  const callDuration = new Histogram({
    ...common,
    name: 'reseller_graph_upstream_call_duration_seconds',
    help: 'Attempts at calls of the service.',
    labelNames: ['api', 'action'],
    buckets: callSeconds,
  });
  const callsInFlight = new Gauge({
    ...common,
    name: 'reseller_graph_upstream_calls_in_flight',
    help: 'Calls of the service that are under way.',
    labelNames: ['api'],
  });
  const batches = new Histogram({
    ...common,
    name: 'reseller_graph_upstream_batch_names',
    help: 'Names that were asked about in one call.',
    buckets: batchNames,
  });
  new Counter({
    ...common,
    name: 'reseller_graph_log_lines_dropped_total',
    help: 'Log lines that were dropped because standard error was not read in time.',
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });

  const actionOf = (action: string) => (actions.has(action) ? action : other);

  return {
    registry,
    requestBegun: (): void => inFlight.inc(),
    streamBegun: (): void => streams.inc(),
    requestEnded(request: EndedRequest): void {
      const { kind, status, outcome, durationMs } = request;
      inFlight.dec();
      requests.inc({ kind, status: `${Math.floor(status / 100)}xx`, outcome });
      if (kind === 'subscription') streams.dec();
      else requestDuration.observe({ kind }, durationMs / 1000);
      for (const code of request.codes) errors.inc({ code: codes.has(code) ? code : other });
      if (request.isRepeated) repeated.inc();
    },
    answered(action: string, source: AnswerSource): void {
      answers.inc({ action: actionOf(action), source });
    },
    /** `tenant` is one that is configured. */
    call(tenant: string, { api, action: asked, batch }: BegunCall) {
      const action = actionOf(asked);
      callsInFlight.inc({ api });
      if (batch !== undefined) batches.observe(batch);
      return {
        end(outcome: string, durationMs: number): void {
          callsInFlight.dec({ api });
          callDuration.observe({ api, action }, durationMs / 1000);
          calls.inc({ tenant, api, action, outcome: outcomes.has(outcome) ? outcome : other });
        },
      };
    },
  };
}
