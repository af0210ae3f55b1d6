import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCollector, valuesOf } from '../support/collector.ts';
import { startProcess } from '../support/process.ts';
import { sendQuery } from './deployment.ts';

/** Writes the name of each module of the SDK to standard error when it is loaded. */
const reportSdk = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (/trace-exporter|sdk-trace|otlp/.test(url)) process.stderr.write('loaded: ' + url);
    return next(url, context);
  } });`;

/** Starts a gateway from the bundle, as the image does. */
async function startGateway(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-traces-'));
  const settings = { PORT: '0', SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none', DATA_DIR: folder };
  const gateway = await startProcess('src/main', { ...settings, ...env }, [], {
    stderr: 'pipe',
    nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(reportSdk)}`],
  });
  onTestFinished(async () => {
    await gateway.kill();
    rmSync(folder, { recursive: true });
  });
  let written = '';
  gateway.stderr?.on('data', (chunk) => {
    written += chunk;
  });
  return { ...gateway, written: () => written };
}

const clientTrace = '0af7651916cd43dd8448eb211c80319c';
const clientSpan = 'b7ad6b7169203331';

test('a gateway with an endpoint exports a request with its upstream call, at SIGTERM at the latest', async () => {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const gateway = await startGateway({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector,x-team=domains',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%20test',
  });

  await fetch(`${gateway.origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${clientTrace}-${clientSpan}-01`,
    },
    body: JSON.stringify({
      query: 'query State { domain(name: "reseller-demo.com") { state } }',
    }),
  });
  // Ended spans are sent every five seconds.
  const sentBefore = collector.batches.length;
  const exitCode = await gateway.stop();

  const all = collector.spans().filter(({ traceId }) => traceId === clientTrace);
  const [request, operation, call] = ['request', 'query', 'getdetails'].map((name) =>
    all.find((span) => span.name === name),
  );
  expect([sentBefore, exitCode]).toEqual([0, 0]);
  expect(request).toMatchObject({ kind: 2, parentSpanId: clientSpan });
  expect(operation).toMatchObject({ kind: 2, parentSpanId: request?.spanId });
  expect(call).toMatchObject({ kind: 3, parentSpanId: operation?.spanId });
  expect(valuesOf(call?.attributes ?? [])).toMatchObject({ outcome: 'OK' });
  expect(collector.resource()).toMatchObject({
    'service.name': 'reseller-graph',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    'deployment.environment.name': 'a test',
  });
  expect(collector.batches[0]).toMatchObject({
    path: '/otlp/v1/traces',
    headers: { authorization: 'Bearer of-the-collector', 'x-team': 'domains' },
  });
  expect(gateway.written()).toContain('loaded: ');
  expect(gateway.written()).not.toContain('of-the-collector');
});

test('a gateway without an endpoint does not load the SDK', async () => {
  const gateway = await startGateway();

  await sendQuery(gateway, '{ reseller { name } }');

  await expect.poll(() => gateway.written()).toContain('"msg":"request"');
  expect(gateway.written()).not.toContain('loaded: ');
});
