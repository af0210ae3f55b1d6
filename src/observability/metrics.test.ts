import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createRequest, responseEnd, sentTo } from '../../test/support/server/request.ts';
import { createMetrics, createMetricsPage } from './metrics.ts';

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
