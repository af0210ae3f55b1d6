import { request } from 'node:http';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { startRecordedGateway } from '../graph/writes/recorded-gateway.ts';

const exported = new InMemorySpanExporter();
// Before the gateway starts, like `--import`.
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exported)] }).register();

const lines: Record<string, unknown>[] = [];
const recorded = await startRecordedGateway({
  env: { METRICS_PORT: '0' },
  log: createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) }),
});
const { gateway, seen } = recorded;
afterAll(async () => {
  await recorded.close();
  // The next file of this worker traces nothing, or registers a provider of its own.
  for (const api of [trace, context, propagation]) api.disable();
});
beforeEach(() => {
  lines.length = 0;
  seen.length = 0;
  exported.reset();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Polls, because the log line of a request follows its response. */
async function eventually<T>(find: () => T | undefined): Promise<T> {
  for (let turn = 0; turn < 200; turn += 1) {
    const found = find();
    if (found !== undefined) return found;
    await pause();
  }
  throw new Error('It was not found in time.');
}

const requestLine = () => eventually(() => lines.find(({ msg }) => msg === 'request'));
const callLines = () => lines.filter(({ msg }) => msg === 'upstream call');

async function figures(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
  );
}

describe('a request', () => {
  test('has one log line with caller, operation, cost and outcome, and one line per upstream call', {
    tags: ['R13'],
  }, async () => {
    await gateway.query(
      'query Two { availabilities(names: ["maple-harbor.com", "weather.net"]) { state } }',
      {},
      { 'x-request-id': 'request-0001' },
    );

    const line = await requestLine();
    expect(line).toMatchObject({
      ...{ level: 'info', requestId: 'request-0001', tenant: 'default', route: 'graph' },
      ...{ kind: 'query', operation: 'Two', status: 200, outcome: 'finished', upstreamCalls: 1 },
      document: expect.stringMatching(/^[0-9a-f]{12}$/),
      durationMs: expect.any(Number),
    });
    expect(callLines()).toEqual([
      expect.objectContaining({
        ...{ level: 'debug', requestId: 'request-0001', api: 'domain', outcome: 'OK', batch: 2 },
        ...{ action: 'bulkcheckavailability', attempt: 1, traceId: line.traceId },
      }),
    ]);
  });

  test('that fails has its codes in the line, and a line per attempt', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      recorded.replyNext({ status: 502, body: 'no' });
    }

    await gateway.query('{ reseller { name } }');

    const line = await requestLine();
    expect(line).toMatchObject({ codes: ['UPSTREAM_UNAVAILABLE'], upstreamCalls: 3 });
    expect(
      callLines().map(({ level, attempt, outcome, status }) => [level, attempt, outcome, status]),
    ).toEqual([1, 2, 3].map((attempt) => ['info', attempt, 'UPSTREAM_UNAVAILABLE', 502]));
  });

  test('that finds the upstream unavailable begins an outage, which has two warnings and a reason', async () => {
    await gateway.query('{ reseller { name } }');
    lines.length = 0;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      recorded.replyNext({ status: 502, body: 'no' });
    }
    await gateway.query('{ reseller { name } }');
    const health = async () => (await fetch(`${gateway.url}/health/ready`)).json();
    const reason = 'The endpoint responded that it is not available (status 502).';
    expect((await health()).upstream).toEqual({
      ...{ domain: 'closed', account: 'closed', domainReason: reason },
    });
    await gateway.query('{ reseller { name } }');

    expect((await health()).upstream).toEqual({ domain: 'closed', account: 'closed' });
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ msg, reason, count }) => [msg, reason ?? count])).toEqual([
      ['the upstream is unavailable', reason],
      ['the upstream is available again', 3],
    ]);
    expect(await figures()).toContainEqual([
      'reseller_graph_upstream_unavailable_total{tenant="default",api="domain",reason="response"}',
      expect.any(Number),
    ]);
  });

  test('has no operation name in its line when the name is too long', async () => {
    await gateway.query(`query ${'A'.repeat(65)} { __typename }`);

    const line = await requestLine();
    expect(line).toMatchObject({ kind: 'query', outcome: 'finished' });
    expect(line).not.toHaveProperty('purchase');
  });

  test('whose client disconnects is logged as aborted', async () => {
    const leaving = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '100' },
    });
    leaving.on('error', () => undefined);
    leaving.write('{ "query": ');
    while ((await figures()).get('reseller_graph_requests_in_flight') !== 1) await pause();
    leaving.destroy();

    expect(await requestLine()).toMatchObject({ route: 'graph', outcome: 'aborted' });
  });

  test('for a health check is logged at level debug', async () => {
    await fetch(`${gateway.url}/health/live`);

    expect(await requestLine()).toMatchObject({ level: 'debug', route: 'health', status: 200 });
  });
});

describe('a trace', () => {
  const spanOf = (name: string) =>
    eventually(() => exported.getFinishedSpans().find((span) => span.name === name));
  const parentOf = ({ parentSpanContext }: ReadableSpan) => parentSpanContext?.spanId;

  test.each([
    ['a read of its own', '{ domain(name: "reseller-demo.com") { state } }', 'getdetails'],
    [
      'a batched availability check',
      '{ availability(name: "a-b-c.com") { state } }',
      'singlecheckavailability',
    ],
    ['the list of domains', '{ domains { totalCount } }', 'getdomainlist'],
    [
      'a write',
      'mutation { syncDomain(input: { domain: "reseller-demo.com" }) { errors { code } } }',
      'syncfromregistry',
    ],
  ])(
    'connects client, request, operation and upstream call: %s',
    { tags: ['R13'] },
    async (_what, document, action) => {
      await gateway.query(document, {}, { traceparent, baggage: 'who=ada' });

      const whole = await spanOf('request');
      const call = await spanOf(action);
      const purchase = await spanOf(document.startsWith('mutation') ? 'mutation' : 'query');
      expect([whole, purchase, call].map((span) => span.spanContext().traceId)).toEqual([
        traceId,
        traceId,
        traceId,
      ]);
      expect(parentOf(whole)).toBe('b7ad6b7169203331');
      expect(parentOf(purchase)).toBe(whole.spanContext().spanId);
      expect(parentOf(call)).toBe(purchase.spanContext().spanId);
      const headers = seen.find(({ path }) => path.endsWith(action))?.headers;
      expect(headers?.traceparent).toBe(`00-${traceId}-${call.spanContext().spanId}-01`);
      expect(headers).not.toHaveProperty('baggage');
      expect((await requestLine()).traceId).toBe(traceId);
    },
  );
});

describe('metrics', () => {
  test('count requests, errors, calls and cache reads, with labels from closed lists', {
    tags: ['R13'],
  }, async () => {
    const before = await figures();
    await gateway.query('{ availabilities(names: ["maple-harbor.com", "weather.net"]) { state } }');
    await gateway.query('{ nope }');
    await eventually(() =>
      lines.filter(({ msg }) => msg === 'request').length === 2 ? true : undefined,
    );
    const after = await figures();

    const grown = [...after].filter(([name, value]) => value !== (before.get(name) ?? 0));
    expect(Object.fromEntries(grown)).toMatchObject({
      'reseller_graph_requests_total{kind="query",status="2xx",outcome="finished"}':
        expect.any(Number),
      'reseller_graph_errors_total{code="INVALID_REQUEST"}': 1,
    });
    const call = 'tenant="default",api="domain",action="bulkcheckavailability",outcome="OK"';
    const calls = `reseller_graph_upstream_calls_total{${call}}`;
    expect((after.get(calls) ?? 0) - (before.get(calls) ?? 0)).toBe(1);
    expect(after.get('reseller_graph_requests_in_flight')).toBe(0);
    expect(after.get('reseller_graph_event_streams')).toBe(0);
  });

  test('report purchases and the last known balance without an upstream call', async () => {
    await gateway.query('{ reseller { balances { symbol } } }');
    seen.length = 0;

    const metrics = await figures();

    expect(metrics.get('reseller_graph_balance{tenant="default",currency="USD"}')).toBe(2500);
    expect(metrics.get('reseller_graph_operations{tenant="default",state="UNKNOWN"}')).toBe(0);
    expect(metrics.get('reseller_graph_purchases_stopped{tenant="default"}')).toBe(0);
    expect(metrics.get('reseller_graph_journal_up')).toBe(1);
    const limit = 'reseller_graph_upstream_concurrency_limit{tenant="default",api="domain"}';
    // Calls that failed in other tests may have lowered it.
    expect(metrics.get(limit)).toBeGreaterThan(1);
    expect(seen).toEqual([]);
  });

  test('are served on their own port only', async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${gateway.metricsUrl}/`)).status).toBe(404);
  });
});
