import { hostname } from 'node:os';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Secret } from '../kernel/secret.ts';
import type { Log } from './log.ts';
import type { TraceSdk } from './tracing.ts';

// The OpenTelemetry SDK. Only a gateway that exports traces loads this module.

export interface TraceExport {
  readonly url: string;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly resource: Readonly<Record<string, string>>;
  /** Part of the traces that are exported. */
  readonly ratio: number;
  /** Whether the trace of a client has decided already. */
  readonly isParentBased: boolean;
}

export interface TraceExporter extends TraceSdk {
  /** Sends the spans that have ended. It can take as long as the collector does. */
  close(): Promise<void>;
}

/**
 * Sends spans to a collector in batches, outside of requests. Spans that it does not accept are dropped after some retries;
 * at most 2,048 wait. The SDK reads further `OTEL_…` variables, such as those of batches and timeouts, from the environment.
 */
export function startTraceExporter(
  { url, headers, resource, ratio, isParentBased }: TraceExport,
  version: string,
  log: Pick<Log, 'info' | 'warn'>,
): TraceExporter {
  const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()]);
  const exporter = new OTLPTraceExporter({ url, headers: Object.fromEntries(revealed) });
  // A ratio of 1 would miss one trace in four billion.
  const root = ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
  const provider = new BasicTracerProvider({
    sampler: isParentBased ? new ParentBasedSampler({ root }) : root,
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.version': version,
        'host.name': hostname(),
        ...resource,
      }),
    ),
    spanProcessors: [new BatchSpanProcessor(reported(exporter, log))],
  });
  return {
    provider,
    propagator: new W3CTraceContextPropagator(),
    // The stop is complete without the last spans.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Reports whether the collector accepts spans: with the first batch, and then when it changes. */
function reported(exporter: SpanExporter, log: Pick<Log, 'info' | 'warn'>): SpanExporter {
  let wasFailing: boolean | null = null;
  return {
    export(spans, onResult) {
      exporter.export(spans, ({ code, error }) => {
        const isFailing = code !== ExportResultCode.SUCCESS;
        const hasChanged = isFailing !== wasFailing;
        wasFailing = isFailing;
        if (hasChanged && isFailing) {
          log.warn('traces are not exported', { reason: describe(error) });
        }
        if (hasChanged && !isFailing) log.info('traces are exported');
        // A failure is reported already; the SDK would report it to a handler that all SDKs of the process share.
        onResult({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** A status, or the code of a network error; never a text of the collector. */
function describe(error: Error | undefined): string {
  const code: unknown = error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `The collector responded with status ${code}.`;
  if (typeof code === 'string') return `The collector cannot be reached: ${code}.`;
  return 'The collector is overloaded, or did not respond in time.';
}
