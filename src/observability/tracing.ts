import type { IncomingHttpHeaders } from 'node:http';
import {
  type Context,
  defaultTextMapGetter,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

/** An attempt of an upstream call that is about to be sent. */
export interface BegunCall {
  readonly api: string;
  readonly action: string;
  readonly attempt: number;
  readonly batch?: number;
  readonly effect: 'read' | 'write';
  readonly requestId?: string | undefined;
  readonly trace?: unknown;
}

/** The operation of a request, without personal data. */
export interface OperationFacts {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The client's operation name when it is a plain name; else null. */
  readonly name: string | null;
  /** First digits of the SHA-256 of its document. */
  readonly document: string;
}

/** The spans of one request: the request, its operation, and its upstream calls. */
export class RequestTrace {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  readonly #namesOperations: boolean;
  #operation: { readonly span: Span; readonly context: Context } | null = null;

  constructor(tracer: Tracer, method: string, parent: Context, namesOperations = false) {
    this.#tracer = tracer;
    this.#namesOperations = namesOperations;
    const attributes = { 'http.request.method': method };
    this.#span = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  /** The parent of upstream call spans. */
  get context(): Context {
    return this.#operation?.context ?? this.#context;
  }

  beginOperation({ kind, name, document }: OperationFacts): void {
    const attributes = {
      'graphql.operation.type': kind,
      'graphql.document.hash': document,
      ...(name !== null && { 'graphql.operation.name': name }),
    };
    const title = this.#namesOperations && name !== null ? `${kind} ${name}` : kind;
    const options = { kind: SpanKind.SERVER, attributes };
    const span = this.#tracer.startSpan(title, options, this.#context);
    this.#operation = { span, context: trace.setSpan(this.#context, span) };
  }

  /** `codes` of the errors in the response. */
  end(status: number, outcome: string, codes: readonly string[]): void {
    const [first] = codes;
    if (first !== undefined) {
      const span = this.#operation?.span ?? this.#span;
      span.setAttribute('graphql.error.codes', [...codes]);
      fail(span, first);
    }
    this.#operation?.span.end();
    this.#span.setAttributes({ 'http.response.status_code': status, outcome });
    if (status >= 500) fail(this.#span, String(status));
    this.#span.end();
  }
}

/** By the convention of OpenTelemetry for recording errors. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

export type Tracing = ReturnType<typeof createTracing>;

/** Where spans go, and how the trace of a client is read. */
export interface TraceSdk {
  readonly provider: TracerProvider;
  readonly propagator: Pick<TextMapPropagator, 'extract'>;
}

/** The SDK that was loaded before the program; null without one. */
export function loadedSdk(): TraceSdk | null {
  const provider = trace.getTracerProvider();
  // Without an SDK the API returns a proxy provider whose delegate is a shared no-op provider.
  const noop = new ProxyTracerProvider().getDelegate();
  const isNoop = provider instanceof ProxyTracerProvider && provider.getDelegate() === noop;
  return isNoop ? null : { provider, propagator: propagation };
}

/** Creates spans. With `namesOperations` the name of an operation, which its client chose, is in the name of its span. */
export function createTracing({ provider, propagator }: TraceSdk, namesOperations = false) {
  const tracer = provider.getTracer('reseller-graph');
  return {
    /** Continues the client's trace when the headers have one. */
    request: (method: string, headers: IncomingHttpHeaders) =>
      new RequestTrace(
        tracer,
        method,
        propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter),
        namesOperations,
      ),
    call({ api, action, attempt, batch, trace: cause }: BegunCall) {
      const parent = cause instanceof RequestTrace ? cause.context : ROOT_CONTEXT;
      const attributes = {
        'upstream.api': api,
        'upstream.action': action,
        'upstream.attempt': attempt,
        ...(batch !== undefined && { 'upstream.batch': batch }),
      };
      const span = tracer.startSpan(action, { kind: SpanKind.CLIENT, attributes }, parent);
      return {
        traceId: span.spanContext().traceId,
        headers: () => ({ traceparent: traceparentOf(span) }),
        end(outcome: string, status?: number, upstreamCode?: string): void {
          span.setAttribute('outcome', outcome);
          if (upstreamCode !== undefined) span.setAttribute('upstream.error.code', upstreamCode);
          if (status !== undefined) span.setAttribute('http.response.status_code', status);
          if (outcome !== 'OK') fail(span, outcome);
          span.end();
        },
      };
    },
  };
}

/** Only the trace parent is sent to the upstream; baggage and other headers are not. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
