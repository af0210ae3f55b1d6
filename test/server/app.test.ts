import { ROOT_CONTEXT } from '@opentelemetry/api';
import { createSchema } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { plainKey } from '../../src/config/credentials.ts';
import { RequestTrace, type Tracing } from '../../src/observability/tracing.ts';
import type { RequestFacts } from '../../src/scope/scope.ts';
import { createRequestObserver } from '../../src/server/http/request-observer.ts';
import { createTestApp, type TestAppOptions } from '../support/app.ts';
import { createRequest, responseEnd, sendBody, sentTo } from '../support/server/request.ts';
import { endOfTurn } from '../support/simulated-clock.ts';
import { createSinks, createTracer } from '../support/sinks.ts';

/** A server without a network. */
function start(options: TestAppOptions = {}) {
  const { handle } = createTestApp(options);
  /** Sends the head of a request. */
  const open = (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const request = createRequest({
      headers: {
        ...{ host: 'localhost', 'content-type': 'application/json' },
        ...{ 'content-length': String(Buffer.byteLength(body)), ...headers },
      },
    });
    handle(request.node, request.response);
    return request;
  };
  const send = async (sent: object, headers: Readonly<Record<string, string>> = {}) => {
    const text = JSON.stringify(sent);
    const request = open(text, headers);
    sendBody(request, text);
    await responseEnd(request);
    // As a server of `node:http` does.
    request.response.emit('close');
    const [, body = ''] = sentTo(request).split('\r\n\r\n');
    return { status: request.response.statusCode, body: JSON.parse(body) };
  };
  return { open, send };
}

const ok = { query: '{ ok }' };
const key = 'a-key-of-sixteen-characters';
const withKey = { kind: 'keys', keys: [plainKey(key)] } as const;

test('4,096 requests may be open, and a closed one no longer counts', async () => {
  const { open, send } = start();
  const body = JSON.stringify(ok);
  const waiting = Array.from({ length: 4_096 }, () => open(body));

  expect(waiting.filter(({ response }) => response.headersSent)).toEqual([]);
  expect((await send(ok)).status).toBe(503);

  waiting[0]?.response.socket?.destroy();
  await endOfTurn();
  expect(await send(ok)).toMatchObject({ status: 200, body: { data: { ok: true } } });
  expect((await send(ok)).status).toBe(200);
});

test.each([true, false])('the resolvers have the trace of their request: %s', async (isTraced) => {
  const { tracer } = createTracer();
  const trace = new RequestTrace(tracer, 'POST', ROOT_CONTEXT);
  const tracing = { request: () => trace } as unknown as Tracing;
  const observer = createRequestObserver({
    ...createSinks().sinks,
    tracing: isTraced ? tracing : null,
  });
  const found: unknown[] = [];
  const createScope = (facts: RequestFacts) => {
    found.push(facts.trace);
    return { upstreamCalls: [], cachedReads: [] };
  };
  await start({ observer, createScope }).send(ok);

  expect(found).toEqual([isTraced ? trace : undefined]);
});

test.each([
  [0, []],
  [60, [{ capacity: 100, perSecond: 1 }]],
])(
  'a caller has a rate limit unless it is 0: %i a minute',
  async (rateLimitPerMinute, expected) => {
    const rates: unknown[] = [];
    const { send } = start({
      settings: { auth: withKey, rateLimitPerMinute },
      rateStore: {
        take(_name, _cost, rate) {
          rates.push(rate);
          return { granted: true, waitMs: 0, remaining: 0 };
        },
      },
    });

    expect((await send(ok, { 'x-api-key': key })).status).toBe(200);
    expect(rates).toEqual(expected);
  },
);

test.each([
  ['has every response of its own', true, 3],
  ['may have a cached response', false, 2],
])('a request %s in development %s', async (_what, development, expected) => {
  let executions = 0;
  const schema = createSchema({
    typeDefs: 'type Query { count: Int }',
    resolvers: { Query: { count: () => (executions += 1) } },
  });
  const { send } = start({
    ...{ schema, settings: { development } },
    createScope: () => ({ upstreamCalls: [], cachedReads: [], cacheValidity: () => () => true }),
  });
  for (const _time of [1, 2, 3]) await send({ query: '{ count }' });

  expect(executions).toBe(expected);
});

test('a feature has no path of the core', () => {
  const createRoutes = () => [{ '/health/live': () => null }];

  expect(() => createTestApp({ createRoutes })).toThrow('Two routes have the path /health/live.');
});

describe('a server under a listed name', () => {
  const settings = { allowedHosts: ['graph.example'] };
  const listed = { host: 'graph.example' };

  test('does not respond when callers need no key', async () => {
    const { send } = start({ settings });

    expect((await send(ok, listed)).status).toBe(421);
    expect((await send(ok)).status).toBe(200);
  });

  test('responds when callers need a key', async () => {
    const { send } = start({ settings: { ...settings, auth: withKey } });

    expect((await send(ok, { ...listed, 'x-api-key': key })).status).toBe(200);
    expect((await send(ok, { 'x-api-key': key })).status).toBe(421);
  });
});
