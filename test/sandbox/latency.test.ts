import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/system.ts';
import { startTestGateway } from '../support/gateway.ts';
import { order, startTestSandbox } from './client.ts';

/** A sandbox that records its waits and never waits. */
async function startNoted(latency: 'realistic' | 'none', fraction: number) {
  const waits: number[] = [];
  const sandbox = await startTestSandbox({
    latency,
    domains: 1,
    clock: { ...systemClock, wait: async (ms) => void waits.push(ms) },
    randomness: { uuid: () => 'id', fraction: () => fraction },
  });
  onTestFinished(() => sandbox.close());
  return { sandbox, waits };
}

test.each([
  [0, [100, 115, 400, 700, 100]],
  [0.5, [200, 215, 500, 800, 200]],
])(
  'the sandbox waits with realistic latency and the random part %d for %j ms',
  async (fraction, expected) => {
    const { sandbox, waits } = await startNoted('realistic', fraction);
    const domains = Array.from({ length: 20 }, (_, at) => `maple-${at}.com`);

    await sandbox.act('getdomainlist');
    await sandbox.act('singlecheckavailability', { domain: 'maple-harbor.com' });
    await sandbox.act('bulkcheckavailability', { domains });
    await sandbox.act('registerdomain', order('maple-harbor.com'));
    await sandbox.account('DELETE', '/logs');

    expect(waits).toEqual(expected);
  },
);

test('the sandbox without latency never waits', async () => {
  const { sandbox, waits } = await startNoted('none', 0.5);

  await sandbox.act('getdomainlist');
  await sandbox.act('registerdomain', order('maple-harbor.com'));

  expect(waits).toEqual([]);
});

test('the gateway starts its sandbox with SANDBOX_LATENCY, which is realistic by default', async () => {
  const none = await startTestGateway({ sandboxDomains: 1 });
  const usual = await startTestGateway({ sandboxDomains: 1, env: { SANDBOX_LATENCY: undefined } });
  onTestFinished(async () => void (await Promise.all([none.close(), usual.close()])));

  expect(await none.admin('GET', '/latency')).toMatchObject({ perCallMs: 0, purchaseMs: 0 });
  expect(await usual.admin('GET', '/latency')).toEqual({
    perCallMs: 100,
    spreadMs: 200,
    perNameMs: 15,
    purchaseMs: 600,
  });
});
