import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AlwaysOffSampler, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterEach, describe, expect, test } from 'vitest';
import { createTracer } from '../../test/support/sinks.ts';
import { createTracing, loadedSdk, RequestTrace } from './tracing.ts';

const call = { api: 'domain', action: 'getdetails', attempt: 2, effect: 'read' } as const;
const clientTrace = '0af7651916cd43dd8448eb211c80319c';
const clientSpan = 'b7ad6b7169203331';
const headers = { traceparent: `00-${clientTrace}-${clientSpan}-01`, baggage: 'who=ada' };
const operation = { kind: 'mutation', name: null, document: 'abcdef012345' } as const;

afterEach(() => {
  trace.disable();
  propagation.disable();
});

/** Tracing with an SDK that was loaded before. */
function start() {
  trace.disable();
  propagation.disable();
  const { provider, spans } = createTracer();
  provider.register();
  return { tracing: tracingOfSdk(), spans };
}

function tracingOfSdk() {
  const sdk = loadedSdk();
  if (!sdk) throw new Error('There is an SDK.');
  return createTracing(sdk);
}

const parentOf = (span: ReturnType<ReturnType<typeof start>['spans']>[number] | undefined) =>
  span?.parentSpanContext?.spanId;

test('there is no SDK unless the program loads one', () => {
  trace.disable();

  expect(loadedSdk()).toBeNull();
});

describe('a request', () => {
  test('continues the trace of its client', () => {
    const { tracing, spans } = start();
    const request = tracing.request('POST', headers);
    request.end(200, 'finished', []);

    const [span] = spans();
    expect(request.traceId).toBe(clientTrace);
    expect(parentOf(span)).toBe(clientSpan);
    expect(span).toMatchObject({
      name: 'request',
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.response.status_code': 200 },
        outcome: 'finished',
      },
    });
  });

  test.each([
    [200, [], SpanStatusCode.UNSET],
    [499, [], SpanStatusCode.UNSET],
    [500, [], SpanStatusCode.ERROR],
    [200, ['NOT_FOUND'], SpanStatusCode.ERROR],
  ])('with the status %d and the codes %j has the status %d', (status, codes, code) => {
    const { tracer, spans } = createTracer();
    new RequestTrace(tracer, 'POST', ROOT_CONTEXT).end(status, 'finished', codes);

    expect(spans()[0]?.status.code).toBe(code);
    const { attributes } = spans()[0] ?? {};
    expect(attributes?.['graphql.error.codes']).toEqual(codes[0] && codes);
    const isError = code === SpanStatusCode.ERROR;
    expect(attributes?.['error.type']).toBe(isError ? (codes[0] ?? String(status)) : undefined);
  });

  test('has the errors of its operation in the span of the operation', () => {
    const { tracer, spans } = createTracer();
    const request = new RequestTrace(tracer, 'POST', ROOT_CONTEXT);
    request.beginOperation(operation);
    request.end(200, 'finished', ['NOT_FOUND']);

    const found = spans().map(({ name, status, attributes }) => [
      name,
      status.code,
      'graphql.error.codes' in attributes,
    ]);
    expect(found).toEqual([
      ['mutation', SpanStatusCode.ERROR, true],
      ['request', SpanStatusCode.UNSET, false],
    ]);
    expect(spans()[0]?.attributes).not.toHaveProperty('graphql.operation.name');
  });
});

test.each([
  [false, 'List', 'mutation'],
  [true, 'List', 'mutation List'],
  [true, null, 'mutation'],
])('with TRACE_OPERATION_NAMES=%s the span of the operation %j is "%s"', (isOn, name, title) => {
  const { tracer, spans } = createTracer();
  const request = new RequestTrace(tracer, 'POST', ROOT_CONTEXT, isOn);
  request.beginOperation({ ...operation, name });
  request.end(200, 'finished', []);

  const [found] = spans();
  expect(found).toMatchObject({ name: title, kind: SpanKind.SERVER });
  expect(found?.attributes['graphql.operation.name'] ?? null).toBe(name);
});

describe('an upstream call', () => {
  test('is part of the request before its operation, and else of the operation', () => {
    const { tracing, spans } = start();
    const request = tracing.request('POST', {});
    tracing.call({ ...call, trace: request }).end('OK', 200);
    request.beginOperation(operation);
    tracing.call({ ...call, trace: request }).end('OK', 200);
    request.end(200, 'finished', []);

    const [first, second, ofOperation, ofRequest] = spans();
    expect(parentOf(first)).toBe(ofRequest?.spanContext().spanId);
    expect(parentOf(second)).toBe(ofOperation?.spanContext().spanId);
    expect(parentOf(ofOperation)).toBe(ofRequest?.spanContext().spanId);
  });

  test('of no request begins a trace', () => {
    const { tracing, spans } = start();
    tracing.call({ ...call, trace: 'of something else' }).end('OK');

    expect(parentOf(spans()[0])).toBeUndefined();
  });

  test.each([
    ['OK', 200, SpanStatusCode.UNSET],
    ['UPSTREAM_UNAVAILABLE', 502, SpanStatusCode.ERROR],
    ['ABORTED', undefined, SpanStatusCode.ERROR],
  ])('has its attempt, outcome and status: %s', (outcome, status, code) => {
    const { tracing, spans } = start();
    tracing.call({ ...call, batch: 3 }).end(outcome, status);
    tracing.call(call).end(outcome, status);

    const facts = {
      ...{ 'upstream.api': 'domain', 'upstream.action': 'getdetails', 'upstream.attempt': 2 },
      ...{ outcome, ...(status && { 'http.response.status_code': status }) },
      ...(outcome !== 'OK' && { 'error.type': outcome }),
    };
    expect(spans().map(({ attributes }) => attributes)).toEqual([
      { ...facts, 'upstream.batch': 3 },
      facts,
    ]);
    expect(spans().map((span) => [span.name, span.status.code])).toEqual([
      ['getdetails', code],
      ['getdetails', code],
    ]);
  });

  test('sends the upstream its place in the trace and nothing else', () => {
    const { tracing, spans } = start();
    const request = tracing.request('POST', headers);
    const { traceId, headers: sent, end } = tracing.call({ ...call, trace: request });
    end('OK');

    expect(traceId).toBe(clientTrace);
    expect(sent()).toEqual({
      traceparent: `00-${clientTrace}-${spans()[0]?.spanContext().spanId}-01`,
    });
  });

  test('sends the upstream that its trace is not sampled', () => {
    trace.disable();
    new NodeTracerProvider({ sampler: new AlwaysOffSampler() }).register();

    expect(tracingOfSdk().call(call).headers().traceparent).toMatch(/^00-\w{32}-\w{16}-00$/);
  });
});
