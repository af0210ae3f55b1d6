import type { IncomingMessage, ServerResponse } from 'node:http';
import { anybody } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { OperationFacts, Tracing } from '../observability/tracing.ts';
import type { RequestScope } from './request-scope.ts';
import type { RequestNotes } from './request-view.ts';

/** Is told of a request as it begins, and finds in its notes what became of it. */
export interface RequestWatch {
  /** What it hands back is to be called once the answer has ended or its caller has gone away. */
  requestBegins(
    request: IncomingMessage,
    response: ServerResponse,
    notes: RequestNotes,
  ): () => void;
  operationBegins(notes: RequestNotes, operation: OperationFacts): void;
}

export interface RequestWatchOptions {
  readonly graphqlPath: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  /** Null for what is off. */
  readonly metrics: Metrics | null;
  readonly tracing: Tracing | null;
}

/** One log line, one span and the figures of each HTTP request, once its answer has ended or its caller has gone away. */
export function createRequestWatch(options: RequestWatchOptions): RequestWatch {
  const { clock, log, metrics, tracing } = options;
  const routeOf = createRoutes(options.graphqlPath);

  const requestBegins: RequestWatch['requestBegins'] = (request, response, notes) => {
    const startedMs = clock.monotonicMs();
    metrics?.requestBegun();
    if (tracing) notes.trace = tracing.request(request.method ?? '', request.headers);

    return () => {
      const { id, caller = anybody, scope, trace, operation, isRepeated = false } = notes;
      const durationMs = clock.monotonicMs() - startedMs;
      const outcome = response.writableFinished ? 'finished' : 'aborted';
      const status = response.statusCode;
      const kind = operation?.kind ?? 'none';
      const codes = notes.codes ? [...notes.codes] : [];
      trace?.end(status, outcome, codes);
      metrics?.requestEnded({ kind, status, outcome, durationMs, codes, isRepeated });
      if (metrics && scope) countAnswers(metrics, scope);
      const route = routeOf(request.url ?? '');
      log[route === 'health' ? 'debug' : 'info']('request', {
        ...(id !== undefined && { requestId: id }),
        ...(trace && { traceId: trace.traceId }),
        ...(caller.name !== null && { caller: caller.name }),
        ...{ tenant: caller.tenant, route, status, outcome },
        durationMs: Math.round(durationMs * 10) / 10,
        ...(operation && describe(operation)),
        ...(notes.estimate && { cost: notes.estimate.upstreamCalls }),
        ...(scope && { upstreamCalls: scope.upstreamCalls.filter(isSent).length }),
        ...(isRepeated && { repeated: true }),
        ...(codes.length > 0 && { codes }),
      });
    };
  };

  return {
    requestBegins,
    operationBegins({ trace }, operation) {
      trace?.beginOperation(operation);
      if (operation.kind === 'subscription') metrics?.streamBegun();
    },
  };
}

const isSent = ({ shared }: RequestScope['upstreamCalls'][number]) => shared !== true;

const describe = ({ kind, name, document }: OperationFacts) => ({
  kind,
  document,
  ...(name !== null && { operation: name }),
});

/** A URL may hold variables; the line says no more of it than this. */
const createRoutes = (graphqlPath: string) => (url: string) => {
  const [path] = url.split('?', 1);
  if (path === graphqlPath) return 'graph';
  return path?.startsWith('/health/') ? 'health' : 'other';
};

function countAnswers(metrics: Metrics, { upstreamCalls, keptAnswers }: RequestScope): void {
  for (const { action, shared, attempt } of upstreamCalls) {
    if (attempt === 1) metrics.answered(action, shared ? 'shared' : 'sent');
  }
  for (const { action, stale } of keptAnswers) metrics.answered(action, stale ? 'stale' : 'kept');
}
