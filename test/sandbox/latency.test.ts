import { expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { systemClock } from '../../src/lib/system.ts';
import { order, startTestSandbox } from './client.ts';

/** A sandbox that records its waits and never waits. */
async function startNoted(
  latency: 'realistic' | 'none',
  fraction: number,
  options: Partial<SandboxOptions> = {},
) {
  const waits: number[] = [];
  const sandbox = await startTestSandbox({
    latency,
    domains: 1,
    clock: { ...systemClock, wait: async (ms) => void waits.push(ms) },
    randomness: { uuid: () => 'id', fraction: () => fraction },
    ...options,
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

test('the sandbox waits for each name of a check as it was started, and again after a reset', async () => {
  const { sandbox, waits } = await startNoted('none', 0.5, { msPerName: 60 });
  const check = () => sandbox.act('singlecheckavailability', { domain: 'a-maple.com' });

  await sandbox.act('bulkcheckavailability', { domains: ['a-maple.com', 'b-maple.com'] });
  await check();
  expect(await sandbox.admin('POST', '/latency', { perCallMs: 7 })).toEqual({
    perCallMs: 7,
    spreadMs: 0,
    perNameMs: 0,
    purchaseMs: 0,
  });
  await check();
  await sandbox.admin('POST', '/reset');
  await check();
  await sandbox.act('transferdomain', { domain: 'outside-maple.com', authCode: 'x', period: 1 });

  expect(waits).toEqual([120, 60, 7, 60]);
});

test('the sandbox adds the time of a purchase to registrations and transfers only', async () => {
  const { sandbox, waits } = await startNoted('none', 0.5);
  await sandbox.admin('POST', '/latency', { purchaseMs: 9 });

  for (const action of ['registerdomain', 'transferdomain', 'getdetails', 'modifynameserver'])
    await sandbox.act(action, { domain: 'a-maple.com' });

  expect(waits).toEqual([9, 9]);
});
