import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createRequest, responseEnd, sentTo } from '../../test/support/server/request.ts';
import { money } from '../kernel/money.ts';
import { systemClock } from '../lib/system.ts';
import { createMetrics, createMetricsPage, createTenantMetrics } from './metrics.ts';

/** The response of the page to a request. */
async function responseOf(method: string, target: string, registry: Registry = new Registry()) {
  const request = createRequest({ method, target });
  createMetricsPage(registry)(request.node, request.response);
  await responseEnd(request);
  return sentTo(request);
}

test('the page has the metrics in the format of Prometheus', async () => {
  const { registry, requestBegun } = createMetrics(() => 0);
  requestBegun();

  const text = await responseOf('GET', '/metrics', registry);

  expect(text).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/plain; version=0\.0\.4/is);
  expect(text).toContain('\nreseller_graph_requests_in_flight 1\n');
});

describe('the page is the response to GET /metrics only:', () => {
  test.each([
    ['POST', '/metrics'],
    ['GET', '/'],
    ['GET', '/metrics?a'],
  ])('%s %s', async (method, target) => {
    expect(await responseOf(method, target)).toMatch(
      /^HTTP\/1\.1 404 .*content-type: text\/plain/is,
    );
  });
});

test('a failed metric is an empty response with status 500', async () => {
  const registry = new Registry();
  registry.metrics = () => Promise.reject(new Error('hunter2'));

  expect(await responseOf('GET', '/metrics', registry)).toMatch(
    /^HTTP\/1\.1 500 .*\r\n0?(\r\n)*$/s,
  );
});

test('the dropped lines of the log are counted since the start of the process', async () => {
  let dropped = 2;
  const { registry } = createMetrics(() => dropped);
  const count = async () =>
    /^reseller_graph_log_lines_dropped_total (\d+)$/m.exec(await registry.metrics())?.[1];

  expect(await count()).toBe('2');
  dropped = 5;
  expect(await count()).toBe('5');
});

function start() {
  let nowMs = 5_000;
  const registry = new Registry();
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    now: () => new Date('2026-01-31T12:00:00Z'),
  };
  const metrics = createTenantMetrics(registry, clock, ['one', 'two']);
  const sample = async (name: string) =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(name))
      .map((line) => line.slice(name.length));
  return { metrics, sample, pass: (ms: number) => (nowMs += ms) };
}

test('the balances of a tenant have the Unix time of their read in seconds', async () => {
  const { metrics, sample } = start();
  metrics.balancesRead('two', [money('12.34', 'USD')]);
  metrics.balancesRead('unknown', [money('1.00', 'USD')]);

  expect(await sample('reseller_graph_balance{')).toEqual(['tenant="two",currency="USD"} 12.34']);
  expect(await sample('reseller_graph_balance_read_timestamp_seconds{')).toEqual([
    `tenant="two"} ${Date.UTC(2026, 0, 31, 12) / 1000}`,
  ]);
});

test('the journal of each tenant is read every ten seconds at most, whatever the scrapes', async () => {
  const { metrics, sample, pass } = start();
  const reads: string[] = [];
  const isFailing = new Set<string>();
  for (const tenant of ['one', 'two']) {
    const journal = async () => {
      reads.push(tenant);
      if (isFailing.has(tenant)) throw new Error('away');
      return {
        operations: [['PENDING', reads.length] as const],
        isStopped: tenant === 'two',
        backedUpAt: null,
        spending: tenant === 'two' ? [['USD', 0.75] as const, ['points', 1] as const] : [],
      };
    };
    metrics.add({ tenant, journal, calls: () => [] });
  }
  const up = () => sample('reseller_graph_journal_up');

  expect(await up()).toEqual([' 1']);
  expect(await sample('reseller_graph_operations{')).toEqual([
    'tenant="one",state="PENDING"} 1',
    'tenant="two",state="PENDING"} 2',
  ]);
  expect(await sample('reseller_graph_purchases_stopped{')).toEqual([
    'tenant="one"} 0',
    'tenant="two"} 1',
  ]);
  expect(await sample('reseller_graph_spend_limit_used_ratio{')).toEqual([
    'tenant="two",currency="USD"} 0.75',
  ]);
  isFailing.add('two');
  pass(9_999);
  expect(await up()).toEqual([' 1']);
  expect(reads).toEqual(['one', 'two']);
  pass(1);
  expect(await up()).toEqual([' 0']);
  expect(reads).toEqual(['one', 'two', 'one', 'two']);
});

test('the breakers and the concurrency limit of each tenant have their API, without a read of the journal', async () => {
  const { metrics, sample } = start();
  const journal = async () => ({
    operations: [],
    spending: [],
    isStopped: false,
    backedUpAt: null,
  });
  const breakers = { get: 'closed', set: 'half-open', list: 'open' } as const;
  metrics.add({
    ...{ tenant: 'one', journal },
    calls: () => [
      { api: 'domain', concurrencyLimit: 4, breakers },
      { api: 'account', concurrencyLimit: 8, breakers: {} },
    ],
  });
  metrics.add({ tenant: 'two', journal, calls: () => [] });

  expect(await sample('reseller_graph_breaker_state{')).toEqual([
    'tenant="one",api="domain",action="get"} 0',
    'tenant="one",api="domain",action="set"} 1',
    'tenant="one",api="domain",action="list"} 2',
  ]);
  expect(await sample('reseller_graph_upstream_concurrency_limit{')).toEqual([
    'tenant="one",api="domain"} 4',
    'tenant="one",api="account"} 8',
  ]);
});

test('a purchase that was recorded as FAILED and happened is counted for its tenant, from 0', async () => {
  const { metrics, sample } = start();
  metrics.lateSuccess('two');

  expect(await sample('reseller_graph_late_successes_total{')).toEqual([
    'tenant="one"} 0',
    'tenant="two"} 1',
  ]);
});

test.each(['usd', 'USDT', 'XUSD', 'US', ''])(
  'a currency that is not an ISO 4217 code is no label: "%s"',
  async (currency) => {
    const { metrics, sample } = start();
    metrics.balancesRead('one', [{ ...money('1.00', 'USD'), currency }, money('2.00', 'EUR')]);

    expect(await sample('reseller_graph_balance{')).toEqual(['tenant="one",currency="EUR"} 2']);
  },
);

test('the time of the last backup is absent until there is one', async () => {
  const { metrics, sample, pass } = start();
  let backedUpAt: Date | null = null;
  const journal = async () => ({ operations: [], spending: [], isStopped: false, backedUpAt });
  for (const tenant of ['one', 'two']) metrics.add({ tenant, journal, calls: () => [] });

  expect(await sample('reseller_graph_backup_timestamp_seconds')).toEqual([]);
  backedUpAt = new Date(1_800_000_000_000);
  pass(10_000);
  expect(await sample('reseller_graph_backup_timestamp_seconds')).toEqual([' 1800000000']);
});
