import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { connectModern } from '../../mcp/test/clients.ts';
import { openWorlds } from './worlds.ts';

const prices = join(await newFolder('priced-tools'), 'prices.json');
const usd = (amount: string) => ({ amount, currency: 'USD' });
await writeFile(prices, JSON.stringify({ rules: [{ fixed: usd('60'), belowCost: true }] }));
const scopes = allAccessScopes.filter((scope) => scope !== 'prices:cost');
const { inBoth } = await openWorlds({
  sandboxTlds: 5,
  env: { PRICES_FILE: prices, API_KEYS: apiKeysOf({ shop: scopes }), MCP_WRITES: 'true' },
});

const registration = {
  ...{ domain: 'maple-two-worlds.com', nameServers: ['ns1.host.net', 'ns2.host.net'] },
  registrant: { fields: ada },
};

test('the tools of two shops whose costs differ return a caller without prices:cost the same', async () => {
  const results = (await inBoth(async ({ url }) => {
    const client = await connectModern(url, by('shop'));
    const called = [
      await client.call('check_names', { names: [registration.domain, 'casino.com'] }),
      await client.call('search_names', { labels: ['cedar-harbor'], maxPrice: usd('61') }),
      await client.call('prices', { names: ['com'] }),
      await client.call('quote_purchase', { registration, maxPrice: usd('16') }),
      await client.call('portfolio_summary'),
      await client.call('account'),
    ];
    // The text has the handle of the quote, which is random.
    const { data } = await client.call('quote_purchase', { registration });
    await client.close();
    return [...called, { text: JSON.stringify(data), isError: false }];
  })) as readonly { readonly text: string; readonly isError: boolean }[];

  expect(results.map(({ isError }) => isError)).toEqual([
    ...[false, false, false],
    ...[true, false, false, false],
  ]);
  expect(results[2]?.text).toContain('60.0000 USD');
  expect(results[3]?.text).toContain('MAX_PRICE_EXCEEDED');
});
