import {
  type Context,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** What was asked of the graph, in words that name nobody. */
export interface OperationFacts {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** As the client calls it, where that is a plain name. */
  readonly name: string | null;
  /** First digits of the SHA-256 of its document. */
  readonly document: string;
}

/** Spans of one request: the request itself, the operation in it, and the calls that it causes. */
export class RequestTrace {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #operation: { readonly span: Span; readonly context: Context } | null = null;

  constructor(tracer: Tracer, method: string, parent: Context) {
    this.#tracer = tracer;
    const attributes = { 'http.request.method': method };
    this.#span = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  /** Where the spans of calls belong. */
  get context(): Context {
    return this.#operation?.context ?? this.#context;
  }

  beginOperation({ kind, name, document }: OperationFacts): void {
    const attributes = {
      'graphql.operation.type': kind,
      'graphql.document.hash': document,
      ...(name !== null && { 'graphql.operation.name': name }),
    };
    const title = name === null ? kind : `${kind} ${name}`;
    const span = this.#tracer.startSpan(title, { attributes }, this.#context);
    this.#operation = { span, context: trace.setSpan(this.#context, span) };
  }

  /** `codes` of the errors that it was answered with. */
  end(status: number, outcome: string, codes: readonly string[]): void {
    if (codes.length > 0) {
      const span = this.#operation?.span ?? this.#span;
      span.setAttribute('graphql.error.codes', [...codes]);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#operation?.span.end();
    this.#span.setAttributes({ 'http.response.status_code': status, outcome });
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

interface TracedCall {
  readonly api: string;
  readonly action: string;
  readonly attempt: number;
  readonly batch?: number;
  readonly trace?: unknown;
}

/** Makes spans; there is one only where an SDK was loaded before the program. */
export interface Tracing {
  /** Goes on with the trace of the caller, where the headers name one. */
  request(method: string, headers: Headers): RequestTrace;
  call(call: TracedCall): CallTrace;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface CallTrace {
  readonly traceId: string;
  headers(): Readonly<Record<string, string>>;
  end(outcome: string, status?: number): void;
}

/** Null where no SDK was loaded: then nothing is traced, and it costs nothing. */
export function createTracing(): Tracing | null {
  if (!hasSdk()) return null;
  const tracer = trace.getTracer('reseller-graph');
  return {
    request: (method, headers) =>
      new RequestTrace(tracer, method, propagation.extract(ROOT_CONTEXT, headers, getter)),
    call({ api, action, attempt, batch, trace: cause }) {
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
        end(outcome, status) {
          span.setAttribute('outcome', outcome);
          if (status !== undefined) span.setAttribute('http.response.status_code', status);
          if (outcome !== 'OK') span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}

/** The API stands in for an SDK that nobody has loaded with a provider of which there is one. */
function hasSdk(): boolean {
  const provider = trace.getTracerProvider();
  const nobody = new ProxyTracerProvider().getDelegate();
  return !(provider instanceof ProxyTracerProvider && provider.getDelegate() === nobody);
}

/** That alone: what else callers send along, such as baggage, is none of the service's business. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const getter = {
  keys: (headers: Headers) => Object.keys(headers),
  get: (headers: Headers, name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  },
};
