import type { Sinks } from '../../observability/call-observer.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { OperationFacts } from '../../observability/tracing.ts';
import type { HttpRequest, RequestScope } from './http-request.ts';
import { graphqlPath } from './routes.ts';

export type RequestObserver = ReturnType<typeof createRequestObserver>;

/** Writes one log line, one span and the metrics of each HTTP request, when it ends. */
export function createRequestObserver({ clock, log, metrics, tracing }: Sinks) {
  /** The URL itself may contain variables, so it is not logged. */
  const kindOf = ({ path, route }: HttpRequest) =>
    path === graphqlPath ? 'graph' : (route.kind ?? 'other');

  /** Returns a function to call when the response has ended or its client has disconnected. */
  const requestBegins = (request: HttpRequest) => {
    const startedMs = clock.monotonicMs();
    const { method, headers, response } = request;
    metrics?.requestBegun();
    if (tracing) request.trace = tracing.request(method, headers);

    return () => {
      const { id, caller, scope, trace, operation, file, tool, estimate, isResponseCached } =
        request;
      const durationMs = clock.monotonicMs() - startedMs;
      const outcome = response.writableFinished ? 'finished' : 'aborted';
      const status = response.statusCode;
      const kind = operation?.kind ?? 'none';
      const codes = [...request.errorCodes];
      trace?.end(status, outcome, codes);
      metrics?.requestEnded({ kind, status, outcome, durationMs, codes, isResponseCached });
      if (metrics && scope) countAnswers(metrics, scope);
      const route = kindOf(request);
      log[route === 'health' ? 'debug' : 'info']('request', {
        requestId: id,
        ...(trace && { traceId: trace.traceId }),
        ...(caller.name !== null && { caller: caller.name }),
        tenant: caller.tenant,
        route,
        status,
        outcome,
        durationMs: Math.round(durationMs * 10) / 10,
        ...(operation && describe(operation)),
        ...(file !== null && { file }),
        ...(tool !== null && { tool }),
        ...(estimate && { cost: estimate.upstreamCalls }),
        ...(scope && { upstreamCalls: scope.upstreamCalls.filter(isSent).length }),
        ...(isResponseCached && { responseCached: true }),
        ...(codes.length > 0 && { codes }),
      });
    };
  };

  return {
    requestBegins,
    operationBegins({ trace }: HttpRequest, operation: OperationFacts): void {
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

function countAnswers(metrics: Metrics, { upstreamCalls, cachedReads }: RequestScope): void {
  for (const { action, shared, attempt } of upstreamCalls) {
    if (attempt === 1) metrics.resultUsed(action, shared ? 'shared' : 'sent');
  }
  for (const { action, stale } of cachedReads)
    metrics.resultUsed(action, stale ? 'stale' : 'cache');
}
