import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { ada } from '../../../../test/support/ada.ts';
import { openStream } from '../../../../test/support/event-stream.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { createGatewayClock } from '../../../../test/support/gateway-clock.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';

const folder = await newFolder('prices');
const file = join(folder, 'prices.json');
const write = (prices: object) => writeFile(file, JSON.stringify(prices));
/** No price has the digits of a cost. */
const margin = { margin: '700', rounding: 'x.77' };
await write({ rules: [{ tlds: ['org'], fixed: { amount: '1', currency: 'USD' } }, margin] });

const time = createGatewayClock();
const shopScopes = allAccessScopes.filter((scope) => scope !== 'prices:cost');
const gateway = time.withTime(
  await startTestGateway({
    clock: time.clock,
    sandboxListSize: 0,
    env: {
      PRICES_FILE: file,
      API_KEYS: apiKeysOf({ shop: shopScopes, owner: allAccessScopes }),
      SPEND_LIMITS: '{"perCall":["100 USD"],"perDay":["200 USD"]}',
      METRICS_PORT: '0',
    },
  }),
);
afterAll(() => gateway.close());

const as =
  (key: 'shop' | 'owner') =>
  async (document: string, variables: object = {}) =>
    gateway.query(document, variables, by(key));
const [shop, owner] = [as('shop'), as('owner')];

const amounts = 'amount currency';
const quote = `certainty reason lowest { ${amounts} } highest { ${amounts} } renewalPrice { ${amounts} }
  cost { lowest { ${amounts} } highest { ${amounts} } renewalPrice { ${amounts} } }`;
const errors = `errors { code message upstreamMessage path
  ... on MaxPriceExceeded { maxPrice { ${amounts} } highest { ${amounts} } }
  ... on SpendLimitExceeded { price { ${amounts} } allowed { ${amounts} } spent { ${amounts} } }
  ... on InsufficientFunds { required { ${amounts} } available { ${amounts} } } }`;
const register = `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
  quote { ${quote} } purchase { price { ${amounts} } cost { ${amounts} } } balanceAfter { ${amounts} } ${errors} } }`;
const input = (domain: string, more: object = {}) => ({
  input: {
    domain,
    nameServers: ['ns1.host.net', 'ns2.host.net'],
    registrant: { fields: ada },
    ...more,
  },
});
const usd = (amount: string) => ({ amount, currency: 'USD' });

test('prices are those of the file, and only a caller with the scope reads the costs beside them', async () => {
  const document = `{ tld(name: "com") { price(operation: REGISTRATION) { price { ${amounts} } cost { ${amounts} } }
    quote(operation: REGISTRATION) { ${quote} } }
    availability(name: "maple-harbor.com") { price { ${amounts} } cost { ${amounts} } } }`;
  const seen = await owner(document);
  const hidden = await shop(document);

  // 11.29 and 700 per cent are 90.32.
  expect(seen.data.tld.price).toEqual({ price: usd('90.7700'), cost: usd('11.2900') });
  expect(seen.data.availability).toEqual({ price: usd('90.7700'), cost: usd('11.2900') });
  expect(seen.data.tld.quote).toMatchObject({
    ...{ certainty: 'LISTED', highest: usd('90.7700') },
    cost: { highest: usd('11.2900') },
  });
  expect(hidden.data.tld.price).toEqual({ price: usd('90.7700'), cost: null });
  expect(hidden.data.availability).toEqual({ price: usd('90.7700'), cost: null });
  expect(hidden.data.tld.quote).toMatchObject({ highest: usd('90.7700'), cost: null });
});

test('without a price nothing is sent', async () => {
  const { data } = await shop(register, input('maple-harbor.org'));

  expect(data.registerDomain).toMatchObject({
    quote: {
      certainty: 'UNKNOWN',
      highest: null,
      reason: 'The gateway has no price for 1 year of .org.',
    },
    purchase: null,
    errors: [{ code: 'PRICE_UNAVAILABLE' }],
  });
});

test('whether the balances cover the renewals, and why that is not known, is about the prices of the caller', async () => {
  const document = '{ reseller { renewalsCovered { covered coveredReason } } }';
  const [hidden, seen] = [await shop(document), await owner(document)];

  // The price of .org is below the cost.
  expect(hidden.data.reseller.renewalsCovered).toEqual({
    covered: null,
    coveredReason: 'The renewal price of 1 domain is not known.',
  });
  expect(seen.data.reseller.renewalsCovered).toEqual({ covered: true, coveredReason: null });
});

test('maxPrice is compared with the price, and maxCost with the cost by callers who may know it', async () => {
  const dry = (more: object) => input('maple-harbor.com', { dryRun: true, ...more });
  const codes = async (who: typeof shop, more: object) =>
    (await who(register, dry(more))).data.registerDomain.errors.map(
      ({ code, path }: { code: string; path: readonly string[] }) => `${code} ${path?.join('.')}`,
    );

  expect(await codes(shop, { maxPrice: usd('90.76') })).toEqual([
    'MAX_PRICE_EXCEEDED input.maxPrice',
  ]);
  expect(await codes(shop, { maxPrice: usd('90.77') })).toEqual([]);
  expect(await codes(shop, { maxCost: usd('1000') })).toEqual(['FORBIDDEN input.maxCost']);
  expect(await codes(owner, { maxCost: usd('11.28') })).toEqual([
    'MAX_PRICE_EXCEEDED input.maxCost',
  ]);
  expect(await codes(owner, { maxCost: usd('11.29') })).toEqual([]);
});

test('a purchase stores price and cost, and keeps them when the prices change', async () => {
  const bought = await shop(register, input('maple-harbor.com', { maxPrice: usd('90.77') }));
  expect(bought.data.registerDomain.purchase).toEqual({ price: usd('90.7700'), cost: null });

  await write({ rules: [{ margin: '900' }] });
  await time.pass(3_000);
  const { data } = await owner(
    `{ purchases { nodes { price { ${amounts} } cost { ${amounts} } } } tld(name: "com") { quote(operation: REGISTRATION) { highest { ${amounts} } } } }`,
  );
  expect(data.purchases.nodes).toEqual([{ price: usd('90.7700'), cost: usd('11.2900') }]);
  expect(data.tld.quote.highest).toEqual(usd('112.9000'));
});

test('a file that becomes wrong changes nothing, and is logged and counted', async () => {
  const price = async () =>
    (await shop('{ tld(name: "com") { price(operation: REGISTRATION) { price { amount } } } }'))
      .data.tld.price.price.amount;
  const usable = async () =>
    /^reseller_graph_price_file_usable (\d)/m.exec(
      await (await fetch(`${gateway.metricsUrl}/metrics`)).text(),
    )?.[1];
  expect(await usable()).toBe('1');

  await writeFile(file, '{ "rules": [');
  await time.pass(3_000);
  expect(await price()).toBe('112.9000');
  expect(await usable()).toBe('0');
  expect(gateway.lines).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'prices unchanged' }),
  );

  await write({ rules: [{ margin: '900' }] });
  await time.pass(3_000);
  expect(await usable()).toBe('1');

  await rm(file);
  await time.pass(3_000);
  expect([await price(), await usable()]).toEqual(['112.9000', '0']);
  await write({ rules: [{ margin: '900' }] });
  await time.pass(3_000);
  expect([await price(), await usable()]).toEqual(['112.9000', '1']);

  await write({ rules: [margin] });
  await time.pass(3_000);
  expect(await price()).toBe('90.7700');
  expect(await usable()).toBe('1');
});

/** The costs that one of the texts contains. */
const leaksIn = (texts: readonly string[], costs: Iterable<string>): readonly string[] =>
  [...costs].flatMap((cost) => {
    const digits = new RegExp(`(?<![\\d.])${cost.replace('.', '\\.')}(?:00?)?(?!\\d)`);
    return texts.flatMap((text, at) =>
      digits.test(text) ? [`${cost} in text ${at}: ${text.slice(0, 200)}`] : [],
    );
  });

test('maxPrice and maxTotal find the price by bisection, and nothing changes near the cost', async () => {
  const usdCents = (cents: number) => usd((cents / 100).toFixed(2));
  const refuses = async (cents: number): Promise<readonly [string, string]> => {
    const bought = await shop(
      register,
      input('bisected-harbor.com', { dryRun: true, maxPrice: usdCents(cents) }),
    );
    const line = { registration: { domain: 'bisected-harbor.com' } };
    const quoted = await shop(
      `query ($input: QuoteOrderInput!) { quoteOrder(input: $input) { totals { price { ${amounts} } } lines { ${errors} } ${errors} } }`,
      {
        input: {
          lines: [line],
          maxTotal: [usdCents(cents)],
          defaults: { nameServers: ['ns1.host.net', 'ns2.host.net'] },
        },
      },
    );
    // An error repeats the limit of the client.
    const shown = (data: object) =>
      cents < 9_077
        ? JSON.stringify(data).replaceAll((cents / 100).toFixed(2), 'LIMIT')
        : JSON.stringify(data);
    return [shown(bought.data), shown(quoted.data)];
  };
  const below = [1, 1_128, 1_129, 1_130, 1_467, 4_000, 9_076];
  const above = [9_077, 9_078, 100_000];
  const outcomes = await Promise.all([...below, ...above].map(refuses));

  const at = (from: number, to: number, which: 0 | 1) =>
    new Set(outcomes.slice(from, to).map((outcome) => outcome[which]));
  for (const which of [0, 1] as const) {
    const [refused, ...others] = at(0, below.length, which);
    const [accepted, ...more] = at(below.length, outcomes.length, which);
    expect([others, more]).toEqual([[], []]);
    expect(refused).toContain('MAX_PRICE_EXCEEDED');
    expect(accepted).not.toContain('MAX_PRICE_EXCEEDED');
  }
});

test('no response to a caller without the scope has a cost', async () => {
  const listed = await owner('{ tlds(first: 1000) { nodes { prices { cost { amount } } } } }');
  const costs = new Set<string>(
    listed.data.tlds.nodes.flatMap(({ prices }: { prices: { cost: { amount: string } }[] }) =>
      prices.map(({ cost }) => cost.amount.replace(/0{1,2}$/, '')),
    ),
  );
  expect(costs).toContain('11.29');
  const names = ['maple-harbor.com', 'cedar-harbor.com', 'cedar-harbor.net', 'premium-cedar.com'];
  const line = (domain: string) => ({ registration: { domain } });
  const order = {
    lines: names.map(line),
    defaults: { nameServers: ['ns1.host.net', 'ns2.host.net'], registrant: { fields: ada } },
  };
  const totals = `totals { price { ${amounts} } cost { ${amounts} } }`;
  const lines = `lines { quote { ${quote} } ${errors} }`;
  const requests: readonly (readonly [string, object?])[] = [
    [
      `{ tlds(first: 1000) { nodes { prices { price { ${amounts} } cost { ${amounts} } } quote(operation: RENEWAL, period: 3) { ${quote} } } } }`,
    ],
    [
      `query ($names: [String!]!) { availabilities(names: $names) { price { ${amounts} } cost { ${amounts} } quote { ${quote} } } }`,
      { names },
    ],
    [
      `{ searchDomains(labels: ["cedar-harbor"], first: 30, filter: { maxPrice: { amount: "500", currency: "USD" } }) { availability { quote { ${quote} } } totals { ${quote} } } }`,
    ],
    [
      `query ($input: QuoteOrderInput!) { quoteOrder(input: $input) { ${totals} affordable ${lines} ${errors} } }`,
      { input: order },
    ],
    [
      `query ($input: QuoteOrderInput!) { quoteOrder(input: $input) { ${errors} } }`,
      { input: { ...order, maxTotal: [usd('3.21')], maxTotalCost: [usd('3.21')] } },
    ],
    [register, input('cedar-harbor.com', { period: 10 })],
    [register, input('cedar-harbor.com', { period: 5, maxPrice: usd('3.21') })],
    [
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { quoted { price { ${amounts} } cost { ${amounts} } } spent { price { ${amounts} } cost { ${amounts} } } } quote { ${totals} ${lines} } ${errors} } }`,
      { input: { ...order, idempotencyKey: 'order-1' } },
    ],
    [
      `{ purchases { nodes { price { ${amounts} } cost { ${amounts} } } } gateway { spendLeft { ${amounts} } } }`,
    ],
    [
      `{ domainStats { renewals { totals { price { ${amounts} } cost { ${amounts} } } } } domains { nodes { renewalQuote { ${quote} } } } }`,
    ],
    [
      `{ events { nodes { before { text money { ${amounts} } } after { text money { ${amounts} } } } } }`,
    ],
  ];
  const texts: string[] = [];
  for (const [document, variables] of requests) {
    const { data, errors: failed } = await shop(document, variables);
    expect([document, failed]).toEqual([document, undefined]);
    texts.push(JSON.stringify(data));
  }
  for (const name of ['prices.csv', 'purchases.csv']) {
    const response = await fetch(`${gateway.url}/export/${name}`, {
      headers: by('shop'),
    });
    expect(response.status).toBe(200);
    texts.push(await response.text());
  }
  texts.push(...(await cursors()), await settled());

  expect(leaksIn(texts, costs)).toEqual([]);
});

/** The cursors of each list that has prices, decoded. */
async function cursors(): Promise<readonly string[]> {
  const page = 'pageInfo { endCursor }';
  const { data, errors: failed } = await shop(
    `{ tlds(first: 2) { ${page} } searchDomains(labels: ["cedar-harbor"], first: 2) { availability { name } }
      purchases(first: 1) { ${page} } orders(first: 1) { ${page} } domains(first: 2) { ${page} } }`,
  );
  expect(failed).toBeUndefined();
  const { searchDomains: _found, ...lists } = data;
  const found: (string | null)[] = Object.values(lists).map(
    (list) => (list as { pageInfo: { endCursor: string | null } }).pageInfo.endCursor,
  );
  expect(found.filter((cursor) => cursor === null)).toEqual([]);
  return found.flatMap((cursor) => [cursor ?? '', Buffer.from(cursor ?? '', 'base64').toString()]);
}

/** What a subscription to a purchase of the shop sends. */
async function settled(): Promise<string> {
  const { data } = await shop('{ purchases(first: 1) { nodes { id } } }');
  const stream = await openStream(gateway.url, {
    query: `subscription ($id: ID!) { purchaseSettled(id: $id) { price { ${amounts} } cost { ${amounts} } } }`,
    variables: { id: data.purchases.nodes[0].id },
    headers: by('shop'),
  });
  const text = JSON.stringify(await stream.rest());
  expect(text).toContain('"price":{');
  return text;
}
