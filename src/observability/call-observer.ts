import type { Clock } from '../lib/clock.ts';
import type { OutageReason } from '../lib/failure-sentence.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { BegunCall, Tracing } from './tracing.ts';

export type CallObserver = ReturnType<typeof createCallObserver>;

/** Where requests and calls are reported; null when that is off. */
export interface Sinks {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly tracing: Tracing | null;
}

/** So many attempts in a row that find the upstream unavailable are an outage: those of one read. */
const attemptsOfOutage = 3;

/**
 * Reports every attempt of an upstream call of one tenant as a log line, a span and metrics, and the outages of the upstream.
 */
export function createCallObserver(tenant: string, { clock, log, metrics, tracing }: Sinks) {
  /** By API, the attempts in a row that found it unavailable. */
  const failures = new Map<string, { readonly sinceMs: number; readonly attempts: number }>();

  /** Logs the begin and the end of an outage. Returns whether it goes on. */
  const followOutage = ({ api, action }: BegunCall, reason: OutageReason | null): boolean => {
    const nowMs = clock.monotonicMs();
    const { sinceMs, attempts } = failures.get(api) ?? { sinceMs: nowMs, attempts: 0 };
    if (reason) {
      failures.set(api, { sinceMs, attempts: attempts + 1 });
      if (attempts + 1 === attemptsOfOutage) {
        const { sentence } = reason;
        log.warn('the upstream is unavailable', { tenant, api, action, reason: sentence });
      }
      return attempts >= attemptsOfOutage;
    }
    failures.delete(api);
    if (attempts >= attemptsOfOutage) {
      const durationMs = nowMs - sinceMs;
      log.warn('the upstream is available again', { tenant, api, durationMs, count: attempts });
    }
    return false;
  };

  return {
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
        end(
          outcome: string,
          status?: number,
          upstreamCode?: string,
          reason: OutageReason | null = null,
        ): void {
          const durationMs = clock.monotonicMs() - startedMs;
          span?.end(outcome, status, isCode(upstreamCode) ? upstreamCode : undefined);
          measured?.end(outcome, durationMs, reason?.label ?? null);
          const isOutage = outcome !== 'ABORTED' && followOutage(call, reason);
          const { api, action, attempt, batch, effect, requestId } = call;
          const isQuiet = effect === 'read' && (outcome === 'OK' || isOutage);
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
            ...(reason && { reason: reason.sentence }),
          });
        },
      };
    },
    breakerOpened(api: string, action: string): void {
      log.warn('the circuit breaker opened', { tenant, api, action });
    },
  };
}

/** Text of another form may be a sentence with personal data, which no log has. */
const isCode = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.:-]+$/.test(text);

const noHeaders: Readonly<Record<string, string>> = {};
