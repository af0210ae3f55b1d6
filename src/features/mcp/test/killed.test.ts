import { describe, expect, onTestFinished, test } from 'vitest';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { openDeployment } from '../../../../test/processes/deployment.ts';
import { isLong } from '../../../../test/support/long.ts';
import { createDatabase, whyNoPostgres } from '../../../../test/support/postgres.ts';
import type { Running } from '../../../../test/support/process.ts';
import { connectModern, handleIn } from './clients.ts';

async function callTool({ origin }: Running, name: string, args: object) {
  const client = await connectModern(origin);
  try {
    return await client.call(name, args);
  } finally {
    await client.close();
  }
}

describe.each(['SQLite', 'PostgreSQL'])('with a journal on %s', (journal) => {
  const isPostgres = journal === 'PostgreSQL';

  test('a handle whose gateway is killed before its use, and then during its purchase, buys once', {
    timeout: 120_000,
    tags: ['M4', 'R8'],
  }, async ({ skip }) => {
    skip(isPostgres && whyNoPostgres !== null, whyNoPostgres ?? '');
    skip(!isLong && !isPostgres && whyNoPostgres === null, 'only in npm run test:long');
    const database = isPostgres ? await createDatabase() : null;
    onTestFinished(() => database?.remove());
    const deployment = await openDeployment({
      databaseUrl: database?.url ?? null,
      env: { MCP_WRITES: 'true' },
    });
    onTestFinished(() => deployment.close());
    const first = await deployment.start();
    const registration = order({ domain: 'of-killed-gateways.com' });
    const handle = handleIn(await callTool(first, 'quote_purchase', { registration }));
    await first.kill();

    const second = await deployment.start();
    await deployment.admin('POST', '/faults', { fault: 'hold-after', action: 'registerdomain' });
    const lost = callTool(second, 'buy', { handle }).catch(() => 'no response');
    await expect.poll(async () => (await deployment.admin('GET', '/held')).held).toBe(1);
    await second.kill();
    expect(await lost).toBe('no response');
    await deployment.admin('POST', '/release', {});

    const others = await Promise.all([deployment.start(), deployment.start()]);
    const again = await Promise.all(
      [...others, ...others].map((gateway) => callTool(gateway, 'buy', { handle })),
    );
    const [{ id }] = again.map(({ data }) => data.purchase) as [{ readonly id: string }];
    const state = async () => (await callTool(others[0], 'purchase', { id })).data.purchase.state;
    await expect.poll(state, { timeout: 60_000, interval: 100 }).toBe('SUCCEEDED');

    for (const { data } of again) expect(data).toMatchObject({ replayed: true, purchase: { id } });
    expect(await deployment.countCalls('registerdomain')).toBe(1);
    const { purchases } = await deployment.admin('GET', '/state');
    expect(purchases).toHaveLength(1);
  });
});
