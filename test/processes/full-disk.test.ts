import { afterEach, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { buy, openDeployment, sendQuery } from './deployment.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

test('a journal on a full disk buys nothing, reports it and can be read', async () => {
  const deployment = await openDeployment({ databaseUrl: null });
  clean.push(() => deployment.close());
  // Enough for the tables and a few purchases.
  const gateway = await deployment.start({ fileBlocks: 1_250 });

  const made = [];
  for (let at = 1; at <= 50; at += 1) {
    const input = order({ domain: `fills-the-disk-${at}.com` });
    made.push((await sendQuery(gateway, buy, { input })).registerDomain);
    if (made.at(-1).errors.length > 0) break;
  }
  const refused = made.at(-1);
  const again = await sendQuery(gateway, buy, { input: order({ domain: 'still-full.com' }) });
  const { purchases: listed, domain } = await sendQuery(
    gateway,
    '{ purchases { totalCount } domain(name: "reseller-demo.com") { name } }',
  );
  const health = (path: string) => fetch(`${gateway.origin}/health/${path}`);
  const [ready, serving] = [await health('ready'), await health('serving')];
  const { purchases } = await deployment.admin('GET', '/state');
  const sent = await deployment.countCalls('registerdomain');

  const bought = made.slice(0, -1);
  expect(bought.length).toBeGreaterThan(0);
  expect(bought.every(({ purchase }) => purchase.state === 'SUCCEEDED')).toBe(true);
  for (const one of [refused, again.registerDomain]) {
    expect(one).toMatchObject({
      purchase: null,
      errors: [{ code: 'JOURNAL_UNAVAILABLE', executed: 'NO' }],
    });
  }
  expect([purchases.length, sent]).toEqual([bought.length, bought.length]);
  expect(listed.totalCount).toBeGreaterThanOrEqual(bought.length);
  expect(domain).toEqual({ name: 'reseller-demo.com' });
  expect([ready.status, serving.status]).toEqual([503, 200]);
  expect(await ready.text()).toMatch(/\bjournal\.sqlite cannot be used: .*\bfull\b/);
});
