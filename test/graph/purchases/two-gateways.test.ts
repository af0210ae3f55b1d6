import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { startProxiedSandbox } from './proxy.ts';
import { order } from './shop.ts';

/** `slow` sends purchases with long timeouts; `hasty` shares the journal and has shorter windows. */
let upstream: Awaited<ReturnType<typeof startProxiedSandbox>>;
let folder: string;
let slow: TestGateway;
let hasty: TestGateway;
const clock = createMovedClock();

beforeAll(async () => {
  upstream = await startProxiedSandbox();
  folder = await newFolder('two-gateways');
  const shared = { DATA_DIR: folder, DOMAIN_API_URL: upstream.url };
  slow = await startTestGateway({
    env: {
      ...shared,
      UPSTREAM_TIMEOUT_MS: '10000',
      METRICS_PORT: '0',
    },
  });
  hasty = await startTestGateway({
    clock,
    quietWindowMs: 2_000,
    env: { ...shared, UPSTREAM_TIMEOUT_MS: '1000' },
  });
});
afterAll(async () => {
  await slow?.close();
  await hasty?.close();
  await upstream?.close();
  await rm(folder, { recursive: true, force: true });
});

const register = async (domain: string) => {
  const { data } = await slow.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { state nextStep errors { code message executed } } errors { code executed } } }`,
    { input: order({ domain, idempotencyKey: domain }) },
  );
  return data.registerDomain;
};
const readAt = async (gateway: TestGateway, key: string) => {
  const { data } = await gateway.query(
    'query ($key: String!) { purchase(by: { key: $key }) { state submittedAt quietUntil } }',
    { key },
  );
  return data.purchase;
};

test('the quiet window of the sending gateway applies to all gateways, and a success after FAILED is logged as an error', {
  tags: ['I4'],
}, async () => {
  const released = Promise.withResolvers<void>();
  upstream.intercept('registerdomain', async (_fields, forward) => {
    await released.promise;
    return forward();
  });
  const key = 'arrives-at-last.com';
  const buying = register(key);
  await expect.poll(() => upstream.count('registerdomain')).toBe(1);

  // Two seconds before the call, thirty for it, and the window of 120: all by the settings of the sender.
  const { submittedAt, quietUntil } = await readAt(hasty, key);
  expect(Date.parse(quietUntil) - Date.parse(submittedAt)).toBe(152_000);
  for (const seconds of [60, 60, 20]) {
    clock.advance(seconds);
    expect((await readAt(hasty, key)).state).toBe('PENDING');
  }
  clock.advance(15);
  await readAt(hasty, key);
  clock.advance(6);
  expect((await readAt(hasty, key)).state).toBe('FAILED');

  released.resolve();
  const { purchase, errors } = await buying;

  expect(purchase).toMatchObject({
    state: 'UNKNOWN',
    nextStep: expect.stringContaining('Do not buy again'),
    errors: [
      { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('recorded it as failed') },
    ],
  });
  expect(errors).toEqual([{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }]);
  expect((await readAt(hasty, key)).state).toBe('UNKNOWN');
  expect(slow.lines).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'a purchase recorded as FAILED was made' }),
  );
  const figures = await (await fetch(`${slow.metricsUrl}/metrics`)).text();
  expect(figures).toMatch(/reseller_graph_late_successes_total\{tenant="default"\} 1/);
});
