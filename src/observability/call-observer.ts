import type { Clock } from '../lib/clock.ts';
import type { BegunCall } from './begun-call.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

export type CallObserver = ReturnType<typeof createCallObserver>;

/** Where requests and calls are reported; null when that is off. */
export interface Sinks {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly tracing: Tracing | null;
}

/** Reports every attempt of an upstream call of one tenant as a log line, a span and metrics. */
export const createCallObserver = (tenant: string, { clock, log, metrics, tracing }: Sinks) => ({
  begin(call: BegunCall) {
    const startedMs = clock.monotonicMs();
    const span = tracing?.call(call);
    const measured = metrics?.call(tenant, call);
    return {
      /** Extra request headers, such as `traceparent`. */
      headers: () => span?.headers() ?? noHeaders,
      /**
       * `outcome` is `OK`, the code of the fault, or `ABORTED`; `status` is absent without a reply. `upstreamCode` is that of an
       * error body; it has any value, so it is no label of a metric.
       */
      end(outcome: string, status?: number, upstreamCode?: string): void {
        const durationMs = clock.monotonicMs() - startedMs;
        span?.end(outcome, status, isCode(upstreamCode) ? upstreamCode : undefined);
        measured?.end(outcome, durationMs);
        const { api, action, attempt, batch, effect, requestId } = call;
        const isQuiet = effect === 'read' && outcome === 'OK';
        log[isQuiet ? 'debug' : 'info']('upstream call', {
          ...(requestId !== undefined && { requestId }),
          ...(span && { traceId: span.traceId }),
          tenant,
          api,
          action,
          attempt,
          durationMs: Math.round(durationMs),
          outcome,
          ...(batch !== undefined && { batch }),
          ...(status !== undefined && { status }),
          ...(isCode(upstreamCode) && { upstreamCode }),
        });
      },
    };
  },
});

/** Text of another form may be a sentence with personal data, which no log has. */
const isCode = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.:-]+$/.test(text);

const noHeaders: Readonly<Record<string, string>> = {};
