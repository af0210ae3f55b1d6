import { ROOT_CONTEXT } from '@opentelemetry/api';
import { describe, expect, test } from 'vitest';
import { createRequest } from '../../../test/support/server/request.ts';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import { createSinks, createTracer } from '../../../test/support/sinks.ts';
import { RequestTrace, type Tracing } from '../../observability/tracing.ts';
import type { HttpRequest, RequestScope } from './http-request.ts';
import { createRequestObserver } from './request-observer.ts';

function start({ isTraced = false } = {}) {
  const { sinks, advance, lines, samples } = createSinks();
  const { tracer, spans } = createTracer();
  const tracing = {
    request: (method: string) => new RequestTrace(tracer, method, ROOT_CONTEXT),
  } as unknown as Tracing;
  const { requestBegins, operationBegins } = createRequestObserver({
    ...sinks,
    tracing: isTraced ? tracing : null,
  });
  return { requestBegins, operationBegins, advance, lines, samples, spans };
}

const call = { api: 'domain', attempt: 1, durationMs: 1, outcome: 'OK' } as const;
const read = { ageMs: 1, leftMs: 1, stale: false };
const scope: RequestScope = {
  upstreamCalls: [
    { ...call, action: 'getdetails', attempt: 1, outcome: 'UPSTREAM_UNAVAILABLE' },
    { ...call, action: 'getdetails', attempt: 2 },
    { ...call, action: 'tldlist', shared: true },
  ],
  cachedReads: [
    { ...read, action: 'getdetails' },
    { ...read, action: 'getdomainlist', stale: true },
  ],
};
const operation = { kind: 'query', name: 'Shop', document: 'abcdef012345' } as const;

/** Completes the response. */
async function respond({ response }: HttpRequest, status = 200): Promise<void> {
  response.writeHead(status).end();
  await endOfTurn();
}

describe('the log line of a request', () => {
  test('has its caller, operation, cost, calls, duration and codes', async () => {
    const { requestBegins, advance, lines } = start({ isTraced: true });
    const request = createRequest({ target: '/graphql?query=secret', name: 'shop', tenant: 'one' });
    const end = requestBegins(request);
    Object.assign(request, {
      ...{ scope, operation, isResponseCached: true },
      estimate: { upstreamCalls: 3, searches: 0, isNeverLimited: false },
    });
    request.errorCodes.add('NOT_FOUND').add('LOCKED');
    advance(12.3456);
    await respond(request, 207);
    end();

    expect(lines()).toEqual([
      {
        ...{ level: 'info', msg: 'request', requestId: 'request-1', caller: 'shop', tenant: 'one' },
        ...{ route: 'graph', status: 207, outcome: 'finished', durationMs: 12.3, kind: 'query' },
        ...{ operation: 'Shop', document: 'abcdef012345', cost: 3, upstreamCalls: 2 },
        ...{ responseCached: true, codes: ['NOT_FOUND', 'LOCKED'] },
        traceId: request.trace?.traceId,
      },
    ]);
  });

  test('has nothing else for a request without an operation', async () => {
    const { requestBegins, lines } = start();
    const request = createRequest({ target: '/graphql' });
    const end = requestBegins(request);
    await respond(request, 400);
    end();

    expect(lines()).toEqual([
      {
        ...{ level: 'info', msg: 'request', requestId: 'request-1', tenant: 'default' },
        ...{ route: 'graph', status: 400, outcome: 'finished', durationMs: 0 },
      },
    ]);
  });

  test('has the name of an exported file', () => {
    const { requestBegins, lines } = start();
    const request = createRequest({ target: '/export/domains.csv' });
    const end = requestBegins(request);
    request.route = { kind: 'export' };
    request.file = 'domains.csv';
    end();

    expect(lines()).toMatchObject([{ route: 'export', file: 'domains.csv' }]);
  });

  test('has no name of an operation without one', () => {
    const { requestBegins, lines } = start();
    const request = createRequest();
    const end = requestBegins(request);
    request.operation = { ...operation, name: null };
    end();

    expect(lines()).toMatchObject([{ kind: 'query', document: 'abcdef012345' }]);
    expect(lines()[0]).not.toHaveProperty('operation');
  });

  test.each([
    ['/graphql/', 'info', 'graph'],
    ['/', 'info', 'other'],
    ['/a/health/', 'info', 'other'],
    ['/../graphql', 'info', 'other'],
  ])('of %s has the level %s and the route %s', (target, level, route) => {
    const { requestBegins, lines } = start();
    requestBegins(createRequest({ target }))();

    expect(lines()).toMatchObject([{ level, route }]);
  });

  test.each([
    ['info', 'export'],
    ['debug', 'health'],
  ] as const)('has the level %s for a route of the kind %s', (level, kind) => {
    const { requestBegins, lines } = start();
    const request = createRequest({ target: '/file' });
    request.route = { kind };
    requestBegins(request)();

    expect(lines()).toMatchObject([{ level, route: kind }]);
  });

  test('shows whether the client received the whole response', () => {
    const { requestBegins, lines } = start();
    const request = createRequest();
    const end = requestBegins(request);
    request.response.write('a part');
    end();

    expect(lines()).toMatchObject([{ outcome: 'aborted' }]);
  });
});

describe('the metrics of a request', () => {
  test('count it while it is in progress', async () => {
    const { requestBegins, samples } = start();
    const end = requestBegins(createRequest());

    expect((await samples()).requests_in_flight).toBe(1);
    end();
    expect(await samples()).not.toHaveProperty('requests_in_flight');
  });

  test('count it with its kind, status class, outcome, duration and codes', async () => {
    const { requestBegins, advance, samples } = start();
    const request = createRequest();
    const end = requestBegins(request);
    Object.assign(request, { operation, isResponseCached: true });
    request.errorCodes.add('NOT_FOUND');
    advance(250);
    await respond(request, 599);
    end();

    const found = await samples();
    expect(found).toMatchObject({
      'requests_total{kind="query",status="5xx",outcome="finished"}': 1,
      'request_duration_seconds_sum{kind="query"}': 0.25,
      'errors_total{code="NOT_FOUND"}': 1,
      cached_responses_total: 1,
    });
    expect(found).not.toHaveProperty('request_duration_seconds_bucket{le="0.1",kind="query"}');
  });

  test('count one without an operation and without errors', async () => {
    const { requestBegins, samples } = start();
    requestBegins(createRequest())();

    const found = Object.keys(await samples());
    expect(found).toContain('requests_total{kind="none",status="2xx",outcome="aborted"}');
    expect(found.filter((name) => /errors|cached|answers/.test(name))).toEqual([]);
  });

  test('count each result that it used, with its source', async () => {
    const { requestBegins, samples } = start();
    const request = createRequest();
    const end = requestBegins(request);
    request.scope = scope;
    end();

    const found = Object.entries(await samples()).filter(([name]) => name.includes('answers'));
    expect(Object.fromEntries(found)).toEqual({
      'upstream_answers_total{action="getdetails",source="sent"}': 1,
      'upstream_answers_total{action="tldlist",source="shared"}': 1,
      'upstream_answers_total{action="getdetails",source="cache"}': 1,
      'upstream_answers_total{action="getdomainlist",source="stale"}': 1,
    });
  });

  test('count an open subscription, whose length is no duration of a request', async () => {
    const { requestBegins, operationBegins, samples } = start();
    const request = createRequest();
    const end = requestBegins(request);
    request.operation = { ...operation, kind: 'subscription' };
    operationBegins(request, request.operation);
    for (let other = 0; other < 2; other += 1) operationBegins(createRequest(), operation);

    expect((await samples()).event_streams).toBe(1);
    end();
    const found = Object.keys(await samples());
    expect(found).toEqual(['requests_total{kind="subscription",status="2xx",outcome="aborted"}']);
  });
});

describe('the spans of a request', () => {
  test('are the request and its operation, with its error codes', async () => {
    const { requestBegins, operationBegins, spans } = start({ isTraced: true });
    const request = createRequest({ method: 'GET' });
    const end = requestBegins(request);
    operationBegins(request, operation);
    request.errorCodes.add('NOT_FOUND');
    await respond(request, 503);
    end();

    expect(spans().map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'query',
        {
          ...{ 'graphql.operation.type': 'query', 'graphql.operation.name': 'Shop' },
          ...{ 'graphql.document.hash': 'abcdef012345', 'graphql.error.codes': ['NOT_FOUND'] },
          'error.type': 'NOT_FOUND',
        },
      ],
      [
        'request',
        {
          ...{ 'http.request.method': 'GET', 'http.response.status_code': 503 },
          'error.type': '503',
          outcome: 'finished',
        },
      ],
    ]);
  });
});
