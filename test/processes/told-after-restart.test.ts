import { afterEach, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { ask, buy, openStreet } from './street.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

const read = '{ purchaseByKey(key: "the-key") { id state } }';

test('an open purchase can be read by its key soon after a restart while the upstream hangs', async () => {
  const street = await openStreet({ databaseUrl: null });
  clean.push(() => street.close());
  const first = await street.start();
  await street.admin('POST', '/faults', { fault: 'hold-after', action: 'registerdomain' });
  const input = order({ domain: 'read-soon.com', period: 1, idempotencyKey: 'the-key' });
  const answer = ask(first, buy, { input }).catch(() => 'no answer');
  await expect.poll(async () => (await street.admin('GET', '/held')).held).toBe(1);
  await first.kill();
  await answer;
  await street.admin('POST', '/faults', { fault: 'hold-before', action: 'getdetails', times: 9 });

  const second = await street.start();
  const listensAtMs = performance.now();
  const { purchaseByKey } = await ask(second, read);
  const readAfterMs = performance.now() - listensAtMs;

  expect(purchaseByKey).toEqual({ id: expect.any(String), state: 'PENDING' });
  expect(readAfterMs).toBeLessThan(3_000);
  await street.admin('DELETE', '/faults');
  await street.admin('POST', '/release', {});
  await expect.poll(async () => (await ask(second, read)).purchaseByKey.state).toBe('SUCCEEDED');
});
