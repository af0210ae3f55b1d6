import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { dayMs, minuteMs } from '../../../../test/support/simulated-clock.ts';
import { startWithReceiver } from '../../../../test/support/with-receiver.ts';

test('the bodies of webhooks have prices of the shop and no costs', async () => {
  const file = join(await newFolder('webhook-prices'), 'prices.json');
  await writeFile(file, '{ "rules": [{ "margin": "700", "rounding": "x.77" }] }');
  const proxy = await startProxiedSandbox();
  onTestFinished(() => proxy.close());
  let cost = '11.2900';
  proxy.intercept('tldlist', async (_fields, forward) => {
    const { status, body } = await forward();
    return { status, body: JSON.parse(JSON.stringify(body).replaceAll('11.2900', cost)) };
  });
  const here = await startWithReceiver({
    env: {
      ...{ PRICES_FILE: file, DOMAIN_API_URL: proxy.url },
      ...{ EVENTS_INTERVAL_SECONDS: '1200', RENEWALS_DAYS: '0' },
    },
  });
  await here.create({ types: ['PURCHASE_SETTLED', 'PRICE_CHANGED'] });
  const input = {
    domain: 'hooked-harbor.com',
    ...{ nameServers: ['ns1.host.net', 'ns2.host.net'], registrant: { fields: ada } },
  };
  const money = '{ amount currency }';
  const bought = await here.mutate(
    'registerDomain',
    input,
    `purchase { price ${money} cost ${money} }`,
  );
  cost = '12.3400';
  await here.time.pass(20 * minuteMs);
  here.skip(dayMs);
  await here.time.pass(60 * minuteMs);

  expect(bought.purchase).toEqual({
    ...{ price: { amount: '90.7700', currency: 'USD' } },
    ...{ cost: { amount: '11.2900', currency: 'USD' } },
  });
  expect(new Set(here.receiver.types())).toEqual(new Set(['PURCHASE_SETTLED', 'PRICE_CHANGED']));
  const bodies = here.receiver.received.map(({ body }) => body).join('\n');
  // 12.34 and 700 per cent are 98.72.
  expect(bodies).toContain('98.7700');
  expect(bodies).not.toMatch(/11\.29|12\.34/);
});
