import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { startCollector } from '../support/collector.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway } from '../support/gateway.ts';

// The SDK reads these from the environment of the process.
beforeAll(() => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500');
  return () => vi.unstubAllEnvs();
});

async function openCollector(options: Parameters<typeof startCollector>[0] = {}) {
  const collector = await startCollector(options);
  onTestFinished(() => collector.close());
  return collector;
}

async function openGateway(env: Readonly<Record<string, string>>) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) });
  const gateway = await startTestGateway({ env, log });
  onTestFinished(() => gateway.close());
  return {
    ...gateway,
    async read(headers: Record<string, string> = {}): Promise<void> {
      const { data } = await gateway.query('{ reseller { name } }', {}, headers);
      expect(data.reseller).toHaveProperty('name');
    },
    lines,
    logged: (event: string) => lines.filter(({ msg }) => msg === event),
  };
}

test('a collector that is away delays no request, and is logged once until it is back', async () => {
  const port = await freePort();
  const gateway = await openGateway({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/traces`,
  });

  await gateway.read();
  await expect.poll(() => gateway.logged('traces are not exported')).toHaveLength(1);
  for (let round = 0; round < 5; round += 1) {
    await gateway.read();
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  const collector = await openCollector({ port });
  await gateway.read();
  await expect.poll(() => gateway.logged('traces are exported')).toHaveLength(1);

  expect(gateway.logged('traces are not exported')).toMatchObject([
    { level: 'warn', reason: 'The collector cannot be reached: ECONNREFUSED.' },
  ]);
  expect(collector.batches[0]?.path).toBe('/traces');
});

test('a collector that accepts spans is logged once', async () => {
  const collector = await openCollector();
  const gateway = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

  await gateway.read();
  await expect.poll(() => collector.batches).toHaveLength(1);
  await gateway.read();
  await gateway.close();

  expect(collector.batches.length).toBeGreaterThan(1);
  expect(gateway.logged('traces are exported')).toHaveLength(1);
  expect(gateway.logged('traces are not exported')).toEqual([]);
});

test('a collector that never responds delays no request, and the stop by two seconds', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '10000');
  onTestFinished(() => void vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500'));
  const collector = await openCollector({ status: 0 });
  const gateway = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

  await gateway.read();
  await expect.poll(() => collector.batches).toHaveLength(1);
  await gateway.read();
  const startedAt = performance.now();
  await gateway.close();
  const ms = performance.now() - startedAt;

  expect(ms).toBeGreaterThan(1_900);
  // Less than the timeout of the exporter.
  expect(ms).toBeLessThan(9_000);
});

test('a collector that does not accept the last spans does not fail the stop', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '60000');
  vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', '50');
  onTestFinished(() => void vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20'));
  onTestFinished(() => void vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', undefined));
  const collector = await openCollector({ status: 0 });
  const gateway = await openGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

  await gateway.read();

  await expect(gateway.close()).resolves.toBeUndefined();
  expect(collector.batches).toHaveLength(1);
});

test.each([
  [401, 'The collector responded with status 401.'],
  [503, 'The collector is overloaded, or did not respond in time.'],
])('a collector that responds with %d is logged without its login', async (status, reason) => {
  const collector = await openCollector({ status });
  const gateway = await openGateway({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20wrong-login',
  });

  await gateway.read();
  await expect.poll(() => gateway.logged('traces are not exported')).toMatchObject([{ reason }]);

  expect(JSON.stringify(gateway.lines)).not.toContain('wrong-login');
});

test.each([
  ['parentbased_always_on', '1', [true, true, false]],
  ['parentbased_always_off', '1', [false, true, false]],
  ['parentbased_traceidratio', '0', [false, true, false]],
  ['always_on', '0', [true, true, true]],
  ['traceidratio', '0', [false, false, false]],
  ['always_off', '1', [false, false, false]],
])(
  'the sampler %s with %s decides on new traces, and on sampled and unsampled ones of clients',
  async (name, ratio, expected) => {
    const collector = await openCollector();
    const gateway = await openGateway({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: name,
      OTEL_TRACES_SAMPLER_ARG: ratio,
    });
    const [sampled, unsampled] = ['a'.repeat(32), 'b'.repeat(32)];

    await gateway.read();
    await gateway.read({ traceparent: `00-${sampled}-b7ad6b7169203331-01` });
    await gateway.read({ traceparent: `00-${unsampled}-b7ad6b7169203331-00` });
    await gateway.close();

    const exported = collector
      .spans()
      .filter((span) => span.name === 'request')
      .map(({ traceId }) => traceId);
    const isNew = exported.some((id) => id !== sampled && id !== unsampled);
    expect([isNew, exported.includes(sampled), exported.includes(unsampled)]).toEqual(expected);
  },
);
