import type { Clock } from '../kernel/clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

interface BegunCall {
  readonly api: string;
  readonly action: string;
  readonly attempt: number;
  readonly batch?: number;
  readonly effect: 'read' | 'write';
  readonly requestId?: string | undefined;
  readonly trace?: unknown;
}

/** What watches calls; null for what is off. */
export interface Watching {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly tracing: Tracing | null;
}

/** A log line, a span and the figures of every attempt at a call for one reseller account. */
export const createUpstreamWatch = (
  tenant: string,
  { clock, log, metrics, tracing }: Watching,
) => ({
  begin(call: BegunCall) {
    const startedMs = clock.monotonicMs();
    const span = tracing?.call(call);
    const figures = metrics?.call(tenant, call);
    return {
      headers: () => span?.headers() ?? none,
      end(outcome: string, status?: number): void {
        const durationMs = clock.monotonicMs() - startedMs;
        span?.end(outcome, status);
        figures?.end(outcome, durationMs);
        const { api, action, attempt, batch, effect, requestId } = call;
        const isQuiet = effect === 'read' && outcome === 'OK';
        log[isQuiet ? 'debug' : 'info']('upstream call', {
          ...(requestId !== undefined && { requestId }),
          ...(span && { traceId: span.traceId }),
          ...{ tenant, api, action, attempt, durationMs: Math.round(durationMs), outcome },
          ...(batch !== undefined && { batch }),
          ...(status !== undefined && { status }),
        });
      },
    };
  },
});

const none: Readonly<Record<string, string>> = {};
