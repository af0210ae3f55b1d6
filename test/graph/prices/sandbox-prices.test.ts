import { afterAll, describe, expect, test } from 'vitest';
import sandboxPrices from '../../../src/config/sandbox-prices.json' with { type: 'json' };
import { allAccessScopes } from '../../../src/kernel/caller.ts';
import { apiKeysOf, by } from '../../access/keys.ts';
import { blocksOf } from '../../docs/markdown.ts';
import { startTestGateway } from '../../support/gateway.ts';

const shopScopes = allAccessScopes.filter((scope) => scope !== 'prices:cost');
const keys = { API_KEYS: apiKeysOf({ shop: shopScopes, owner: allAccessScopes }) };
const money = 'amount currency';
const document = `{ availabilities(names: ["maple-harbor.com", "casino.com"]) { price { ${money} } cost { ${money} } } }`;
const usd = (amount: string) => ({ amount, currency: 'USD' });

describe('with the embedded sandbox and no PRICES_FILE', async () => {
  const gateway = await startTestGateway({ env: { ...keys, PRICES_FILE: '' } });
  afterAll(() => gateway.close());

  test('prices are those of the sandbox, and costs are beside them with the scope', async () => {
    const seen = await gateway.query(document, {}, by('owner'));
    const hidden = await gateway.query(document, {}, by('shop'));

    expect(seen.data.availabilities).toEqual([
      { price: usd('14.9900'), cost: usd('11.2900') },
      { price: usd('2185.0000'), cost: usd('1900.0000') },
    ]);
    expect(hidden.data.availabilities).toEqual([
      { price: usd('14.9900'), cost: null },
      { price: usd('2185.0000'), cost: null },
    ]);
  });

  test('every listed cost has a price above it', async () => {
    const { data } = await gateway.query(
      '{ tlds(first: 1000) { nodes { prices { price { amount } cost { amount } } } } }',
      {},
      by('owner'),
    );
    const prices: { price: { amount: string }; cost: { amount: string } }[] =
      data.tlds.nodes.flatMap((tld: { prices: object[] }) => tld.prices);

    expect(prices.length).toBeGreaterThan(200);
    expect(prices.filter(({ price, cost }) => Number(price.amount) <= Number(cost.amount))).toEqual(
      [],
    );
  });
});

test('with PRICES_FILE=none prices are costs', async () => {
  const gateway = await startTestGateway({ env: { ...keys, PRICES_FILE: 'none' } });
  const { data } = await gateway.query(document, {}, by('owner'));
  await gateway.close();

  expect(data.availabilities[0]).toEqual({ price: usd('11.2900'), cost: usd('11.2900') });
});

test('docs/prices.md begins with the prices of the sandbox', () => {
  expect(JSON.parse(blocksOf('docs/prices.md', 'json')[0] ?? '')).toEqual(sandboxPrices);
});
