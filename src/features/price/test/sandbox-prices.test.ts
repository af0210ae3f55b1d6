import { afterAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { blocksOf } from '../../../../test/docs/markdown.ts';
import { ada } from '../../../../test/support/ada.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import sandboxPrices from '../sandbox-prices.json' with { type: 'json' };

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

describe.each([
  ['no PRICES_FILE', {}],
  ['without the feature', { FEATURES: '-price' }],
])('with UPSTREAM=live, %s', async (_what, features: Record<string, string>) => {
  const registrar = await startTestGateway();
  const gateway = await startTestGateway({
    env: {
      ...{ ...keys, ...features, PRICES_FILE: '', UPSTREAM: 'live' },
      ...{ DOMAIN_API_USERNAME: 'demo', DOMAIN_API_PASSWORD: 'demo-password' },
      ...{ DOMAIN_API_URL: `${registrar.sandboxUrl}/domain-api` },
    },
  });
  afterAll(() => gateway.close().finally(() => registrar.close()));
  const quote = `certainty highest { ${money} } cost { highest { ${money} } }`;
  const register = `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
    quote { ${quote} } purchase { state price { ${money} } cost { ${money} } } errors { code message } } }`;
  const place = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
    order { id } errors { code } } }`;
  const inputOf = (domain: string) => ({
    ...{ domain, registrant: { fields: ada }, nameServers: ['ns1.host.net', 'ns2.host.net'] },
  });
  const orderOf = (domain: string) => ({
    input: { idempotencyKey: domain, lines: [{ registration: inputOf(domain) }] },
  });

  test('a caller without the scope "prices:cost" gets no price and no cost, by two reads', async () => {
    await registrar.resetCalls();
    const { data } = await gateway.query(
      `{ availabilities(names: ["maple-harbor.com", "casino.com"]) { price { ${money} } cost { ${money} } }
         availability(name: "maple-harbor.com") { quote { ${quote} } }
         tld(name: "com") { price(operation: RENEWAL) { price { ${money} } cost { ${money} } } } }`,
      {},
      by('shop'),
    );

    expect(data).toEqual({
      availabilities: [
        { price: null, cost: null },
        { price: null, cost: null },
      ],
      availability: { quote: { certainty: 'UNKNOWN', highest: null, cost: null } },
      tld: { price: { price: null, cost: null } },
    });
    expect(await registrar.countCalls()).toEqual({ bulkcheckavailability: 1, tldlist: 1 });
  });

  test('the price of an availability alone needs no price list', async () => {
    await registrar.resetCalls();
    await gateway.query(document, {}, by('shop'));

    expect(await registrar.countCalls()).toEqual({ bulkcheckavailability: 1 });
  });

  test('such a caller buys nothing', async () => {
    await registrar.resetCalls();
    const bought = await gateway.query(register, { input: inputOf('maple-shop.com') }, by('shop'));
    const placed = await gateway.query(place, orderOf('maple-order.com'), by('shop'));

    expect(bought.data.registerDomain).toMatchObject({
      quote: { certainty: 'UNKNOWN', highest: null, cost: null },
      purchase: null,
      errors: [{ code: 'PRICE_UNAVAILABLE' }],
    });
    expect(placed.data.placeOrder).toEqual({
      order: null,
      errors: [{ code: 'PRICE_UNAVAILABLE' }],
    });
    expect(await registrar.countCalls()).not.toHaveProperty('registerdomain');
  });

  test('a caller with the scope sees the cost as the price, and buys', async () => {
    const seen = await gateway.query(document, {}, by('owner'));
    const bought = await gateway.query(register, { input: inputOf('maple-own.com') }, by('owner'));
    const placed = await gateway.query(place, orderOf('maple-line.com'), by('owner'));
    const lineState = async () => {
      const { data } = await gateway.query(
        'query ($id: ID!) { order(by: { id: $id }) { lines { state } } }',
        { id: placed.data.placeOrder.order.id },
        by('owner'),
      );
      return data.order.lines[0].state;
    };

    expect(seen.data.availabilities[0]).toEqual({ price: usd('11.2900'), cost: usd('11.2900') });
    expect(bought.data.registerDomain).toMatchObject({
      quote: { certainty: 'LISTED', highest: usd('11.2900') },
      purchase: { state: 'SUCCEEDED', price: usd('11.2900'), cost: usd('11.2900') },
      errors: [],
    });
    expect(placed.data.placeOrder.errors).toEqual([]);
    await expect.poll(lineState).toBe('SUCCEEDED');
  });
});

test('with PRICES_FILE=none prices are costs', async () => {
  const gateway = await startTestGateway({ env: { ...keys, PRICES_FILE: 'none' } });
  const { data } = await gateway.query(document, {}, by('owner'));
  await gateway.close();

  expect(data.availabilities[0]).toEqual({ price: usd('11.2900'), cost: usd('11.2900') });
});

test('docs/shop.md begins with the prices of the sandbox', () => {
  expect(JSON.parse(blocksOf('docs/shop.md', 'json')[0] ?? '')).toEqual(sandboxPrices);
});

test('a sandbox without the feature sells at cost', async () => {
  const gateway = await startTestGateway({ env: { ...keys, FEATURES: '-price' } });
  const of = async (caller: string) => (await gateway.query(document, {}, by(caller))).data;
  const [shop, owner] = [await of('shop'), await of('owner')];
  await gateway.close();

  const prices = (data: typeof shop) =>
    data.availabilities.map(({ price }: { price: object }) => price);
  expect(prices(shop)).toEqual(prices(owner));
  expect(prices(owner)).toEqual(owner.availabilities.map(({ cost }: { cost: object }) => cost));
  expect(prices(shop)).not.toContain(null);
});
