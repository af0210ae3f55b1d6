import { afterEach, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { buy, openDeployment, sendQuery } from './deployment.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

const read = '{ purchase(by: { key: "the-key" }) { id state } }';

test('an open purchase can be read by its key soon after a restart while the upstream hangs', async () => {
  const deployment = await openDeployment({ databaseUrl: null });
  clean.push(() => deployment.close());
  const first = await deployment.start();
  await deployment.admin('POST', '/faults', { fault: 'hold-after', action: 'registerdomain' });
  const input = order({ domain: 'read-soon.com', period: 1, idempotencyKey: 'the-key' });
  const response = sendQuery(first, buy, { input }).catch(() => 'no response');
  await expect.poll(async () => (await deployment.admin('GET', '/held')).held).toBe(1);
  await first.kill();
  await response;
  await deployment.admin('POST', '/faults', {
    fault: 'hold-before',
    action: 'getdetails',
    times: 9,
  });

  const second = await deployment.start();
  const listensAtMs = performance.now();
  const { purchase } = await sendQuery(second, read);
  const readAfterMs = performance.now() - listensAtMs;

  expect(purchase).toEqual({ id: expect.any(String), state: 'SENDING' });
  // Less than the timeout of a read.
  expect(readAfterMs).toBeLessThan(9_000);
  await deployment.admin('DELETE', '/faults');
  await deployment.admin('POST', '/release', {});
  await expect.poll(async () => (await sendQuery(second, read)).purchase.state).toBe('SUCCEEDED');
});
