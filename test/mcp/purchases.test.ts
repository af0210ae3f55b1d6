import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymous } from '../../src/kernel/caller.ts';
import { systemRandomness } from '../../src/lib/system.ts';
import { schema } from '../../src/modules/index.ts';
import { createTokens } from '../../src/server/mcp/tools/token.ts';
import { apiKeysOf, by } from '../access/keys.ts';
import { openShop, order, type Shop, transferCode } from '../graph/purchases/shop.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { minuteMs } from '../support/simulated-clock.ts';
import { as, openThree, type SharedGateway } from '../tenants/accounts.ts';
import { type Called, connectModern, httpClients, type ToolClient, tokenIn } from './clients.ts';

const writes = { MCP_WRITES: 'true' };
const secret = 'the-secret-of-all-tokens-in-tests';
const notValid = 'This token is not valid for this caller and tool';

const registration = (domain: string, more = {}) => ({ registration: order({ domain, ...more }) });

/** Quotes and returns the token. */
const tokenOf = async (client: ToolClient, args: object): Promise<string> =>
  tokenIn(await client.call('quote_purchase', args));

const expectRefused = ({ data, isError }: Called, sentence: string) => {
  expect(isError).toBe(true);
  expect(data.errors).toMatchObject([
    { code: 'INVALID_INPUT', message: expect.stringContaining(sentence), executed: 'NO' },
  ]);
};

describe.each(httpClients)('a purchase in two steps by a client with %s', (name, connect) => {
  const label = name.includes('current') ? 'modern' : 'earlier';
  let shop: Shop;
  let client: ToolClient;
  const calls = async () => (await shop.gateway.countCalls()).registerdomain ?? 0;
  beforeAll(async () => {
    shop = await openShop({ env: writes });
    client = await connect(shop.gateway.url);
  });
  beforeEach(() => shop.gateway.resetCalls());
  afterAll(async () => {
    await client?.close();
    await shop?.close();
  });

  test('buys once, at the highest price of the quote at most', async () => {
    const args = registration(`${label}-two-steps.com`, { period: 2 });
    const quoted = await client.call('quote_purchase', args);
    const ofQuote = await shop.gateway.countCalls();
    const bought = await client.call('buy', { token: tokenIn(quoted) });

    expect(ofQuote).toEqual({ tldlist: 1, singlecheckavailability: 1, resellerdetails: 1 });
    expect(quoted.data).toMatchObject({ quote: { certainty: 'ESTIMATED', period: 2 } });
    expect(quoted.text).toMatch(
      /^The registration of \w+-two-steps\.com for 2 years costs between [\d.]+ USD and [\d.]+ USD\. Nothing was bought\./,
    );
    expect(quoted.text).toContain('ESTIMATED: the price list has no price for this period.');
    expect(JSON.stringify(quoted)).not.toContain(order({}).registrant.fields.email);
    expect(bought.isError).toBe(false);
    expect(bought.data).toMatchObject({
      replayed: false,
      purchase: { state: 'SUCCEEDED', period: 2, price: quoted.data.quote.highest },
    });
    expect(await calls()).toBe(1);
  });

  test('returns the same purchase to the same call again', { tags: ['M4'] }, async () => {
    const args = registration(`${label}-twice.com`);
    const token = await tokenOf(client, args);
    const first = await client.call('buy', { token });
    const second = await client.call('buy', { token });

    expect(second.data).toMatchObject({ replayed: true, purchase: { id: first.data.purchase.id } });
    expect(await calls()).toBe(1);
  });

  test('is one upstream purchase when the calls arrive at once', { tags: ['M4'] }, async () => {
    const args = registration(`${label}-at-once.com`);
    const token = await tokenOf(client, args);
    const bought = await Promise.all(
      Array.from({ length: 5 }, () => client.call('buy', { token })),
    );

    const ids = bought.map(({ data }) => data.purchase.id);
    expect(new Set(ids).size).toBe(1);
    expect(bought.filter(({ data }) => !data.replayed)).toHaveLength(1);
    expect(await calls()).toBe(1);
  });

  test('transfers a domain with its auth code, which no result shows', async () => {
    const args = { transfer: { domain: `outside-${label}.com`, authCode: transferCode } };
    const quoted = await client.call('quote_purchase', args);
    const bought = await client.call('buy', { token: tokenIn(quoted) });

    expect(quoted.text).toMatch(
      /^The transfer of outside-\w+\.com for 1 year costs [\d.]+ USD\. Not checked before the transfer is sent: the transfer lock, .* 60 days, the auth code, and whether/,
    );
    expect(bought.data.purchase).toMatchObject({ kind: 'TRANSFER', state: 'IN_PROGRESS' });
    expect(bought.text).toContain('Do not buy it again.');
    expect(JSON.stringify([quoted, bought])).not.toContain(transferCode);
  });

  test('quotes no transfer of a name that is not registered', async () => {
    const transfer = { domain: `free-${label}.com`, authCode: transferCode };
    const { text, isError } = await client.call('quote_purchase', { transfer });

    expect(isError).toBe(true);
    expect(text).toMatch(/^Nothing was bought\. AUTH_CODE_INVALID: /);
    expect(text).toContain(`free-${label}.com is not registered`);
    expect(await calls()).toBe(0);
  });

  test('a premium name needs the consent of the user, and a limit of the user refuses it', async () => {
    const refused = await client.call('quote_purchase', registration('casino.com'));
    const maxPrice = { amount: '3799.99', currency: 'USD' };
    const args = registration('casino.com', { acceptPremium: true });
    const above = await client.call('quote_purchase', { ...args, maxPrice });
    const { text, data } = await client.call('quote_purchase', args);

    expect(refused).toMatchObject({
      isError: true,
      data: { errors: [{ code: 'PREMIUM_NOT_ACCEPTED', executed: 'NO', retryable: false }] },
    });
    expect(refused.text).toMatch(
      /^Nothing was bought\. PREMIUM_NOT_ACCEPTED: This is a premium name at 3800\.0000 USD\. Ask the user before you pass acceptPremium: true\.\n/,
    );
    expect(above.text).toMatch(/^Nothing was bought\. MAX_PRICE_EXCEEDED: /);
    for (const one of [refused, above]) expect(one.text).not.toContain('"token"');
    expect(text).toContain('The registration of casino.com for 1 year costs 3800.0000 USD.');
    expect(data.quote.highest).toBe('3800.0000 USD');
    expect(await calls()).toBe(0);
  });

  test('a refusal has its reason in the first line, also when the purchase is read', async () => {
    const transfer = { domain: `locked-${label}.com`, authCode: transferCode };
    const token = await tokenOf(client, { transfer });
    const { data, text, isError } = await client.call('buy', { token });
    const read = await client.call('purchase', { id: data.purchase.id });

    expect(isError).toBe(true);
    expect(text).toMatch(
      /^The purchase failed, and the account does not have the domain\. LOCKED: .* Correct the cause, then call `quote_purchase` again\.\n/,
    );
    expect(read.text.split('\n')[0]).toBe(text.split('\n')[0]);
  });

  test('a refusal has the code of the registrar, also when the purchase is read', async () => {
    const token = await tokenOf(client, registration(`refused-${label}.com`));
    await shop.arm('code', { action: 'registerdomain', code: '7777' });
    const { data } = await client.call('buy', { token });
    const read = await client.call('purchase', { id: data.purchase.id });

    expect(data.errors).toMatchObject([{ upstreamCode: 'API_7777_ERROR' }]);
    expect(read.data.purchase.errors[0]).toMatchObject({ upstreamCode: 'API_7777_ERROR' });
  });

  test('a lost reply is reported as not known, with the way to find the outcome', {
    tags: ['M4'],
  }, async () => {
    const args = registration(`late-${label}.com`);
    const token = await tokenOf(client, args);
    const { data, text, isError } = await client.call('buy', { token });
    const again = await client.call('buy', { token });

    expect(isError).toBe(false);
    expect(data.purchase.state).toBe('PENDING');
    expect(data.errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }]);
    expect(text).toContain('Do not buy anything again for this domain.');
    expect(text).toContain(`Call \`purchase\` with "id": "${data.purchase.id}"`);
    expect(again.data.purchase.id).toBe(data.purchase.id);
    expect(await calls()).toBe(1);
  });
});

describe('a token', () => {
  const args = registration('quoted-once.com');
  let shop: Shop;
  let client: ToolClient;
  let rival: ToolClient;
  beforeAll(async () => {
    const env = {
      ...{ ...writes, MCP_SECRET: secret },
      API_KEYS: apiKeysOf({
        shop: ['domains:spend', 'account:read', 'domains:read', 'domains:write'],
        rival: ['domains:spend', 'account:read'],
      }),
    };
    shop = await openShop({ accountToken: null, env });
    client = await connectModern(shop.gateway.url, by('shop'));
    rival = await connectModern(shop.gateway.url, by('rival'));
  });
  beforeEach(() => shop.gateway.resetCalls());
  afterAll(async () => {
    await client?.close();
    await rival?.close();
    await shop?.close();
  });
  const expectNoCall = async () => expect(await shop.gateway.countCalls()).toEqual({});

  test.each([
    ['no token', {}, 'Missing arguments: token.'],
    ['null', { token: null }, 'Missing arguments: token.'],
    ['a blank', { token: '' }, notValid],
    ['a number', { token: 7 }, notValid],
    ['a list', { token: [] }, notValid],
    ['a text', { token: 'please' }, notValid],
    ['other bytes', { token: 'A'.repeat(400) }, notValid],
  ])('is required: %s buys nothing', { tags: ['M3'] }, async (_name, given, sentence) => {
    expectRefused(await client.call('buy', given), sentence);
    await expectNoCall();
  });

  test('is of one caller', { tags: ['M3'] }, async () => {
    const token = await tokenOf(client, args);
    await shop.gateway.resetCalls();

    expectRefused(await rival.call('buy', { token }), notValid);
    await expectNoCall();
  });

  test('is of one input, which the call cannot change', { tags: ['M3'] }, async () => {
    const token = await tokenOf(client, args);
    await shop.gateway.resetCalls();

    for (const more of [args, { maxPrice: { amount: '1', currency: 'USD' } }]) {
      expectRefused(await client.call('buy', { ...more, token }), 'The arguments are: token.');
    }
    await expectNoCall();
  });

  test('is of one tool', { tags: ['M3'] }, async () => {
    const change = { privacyProtected: true };
    const preview = await client.call('preview_change', { names: ['reseller-demo.com'], change });
    await shop.gateway.resetCalls();

    expectRefused(await client.call('buy', { token: tokenIn(preview) }), notValid);
    await expectNoCall();
  });

  test.each(['dryRun', 'maxPrice', 'idempotencyKey'])(
    'decides "%s", which is no member of a registration',
    async (name) => {
      const registration = { ...args.registration, [name]: 'other' };

      expectRefused(
        await client.call('quote_purchase', { registration }),
        'This tool does not have such an argument.',
      );
      await expectNoCall();
    },
  );

  test.each([
    {},
    { registration: null },
    { registration: 'a.com' },
    { registration: [], transfer: [] },
  ])('needs one purchase: %j has none, or two', async (purchase) => {
    expectRefused(await client.call('quote_purchase', purchase), 'Give one object');
    await expectNoCall();
  });

  /** A token of an earlier quote, with this highest price. */
  const earlierToken = (agoMs: number, { registration }: typeof args, amount: string) => {
    const clock = { now: () => new Date(Date.now() - agoMs) };
    const caller = { ...anonymous, name: 'shop' };
    const input = { ...registration, maxPrice: { amount, currency: 'USD' } };
    const quoted = { member: 'registration', input };
    return createTokens(secret, clock, systemRandomness).make(caller, 'buy', quoted).token;
  };

  test('buys nothing when the price has risen above its highest price', {
    tags: ['M3'],
  }, async () => {
    const token = earlierToken(0, args, '22.5799');
    const { data, isError } = await client.call('buy', { token });

    expect(isError).toBe(true);
    expect(data.errors).toMatchObject([{ code: 'MAX_PRICE_EXCEEDED', executed: 'NO' }]);
    expect((await shop.gateway.countCalls()).registerdomain).toBeUndefined();
  });

  test('expires after ten minutes', { tags: ['M3'] }, async () => {
    const recent = registration('just-in-time.com');
    const inTime = await client.call('buy', { token: earlierToken(9 * minuteMs, recent, '22.58') });
    await shop.gateway.resetCalls();
    const tooLate = await client.call('buy', { token: earlierToken(10 * minuteMs, args, '22.58') });

    expect(inTime.data.purchase.state).toBe('SUCCEEDED');
    expectRefused(tooLate, 'This token has expired.');
    await expectNoCall();
  });
});

describe('tenants', () => {
  let shared: SharedGateway;
  beforeAll(async () => {
    shared = await openThree({ env: writes });
  });
  afterAll(() => shared?.close());

  test('a token of one tenant buys nothing for another', { tags: ['M3'] }, async () => {
    const args = registration('of-tenant-one.com');
    const one = await connectModern(shared.gateway.url, as('one'));
    const two = await connectModern(shared.gateway.url, as('two'));
    const token = await tokenOf(one, args);
    await shared.gateway.resetCalls();
    const refused = await two.call('buy', { token });
    const calls = await shared.gateway.countCalls();
    await one.close();
    await two.close();

    expectRefused(refused, notValid);
    expect(calls).toEqual({});
  });
});

describe('two replicas', () => {
  const args = registration('of-two-replicas.com');
  let first: TestGateway;
  beforeAll(async () => {
    first = await startTestGateway({ env: { ...writes, MCP_SECRET: 's'.repeat(32) } });
  });
  afterAll(() => first?.close());
  const replica = (secret: string) =>
    startTestGateway({
      env: {
        ...{ ...writes, MCP_SECRET: secret },
        DOMAIN_API_URL: `${first.sandboxUrl}/domain-api`,
        ACCOUNT_API_URL: `${first.sandboxUrl}/account-api`,
      },
    });

  test('with one secret accept the tokens of each other', async () => {
    const second = await replica('s'.repeat(32));
    const [one, two] = [await connectModern(first.url), await connectModern(second.url)];
    const token = await tokenOf(one, args);
    const { data } = await two.call('buy', { token });
    await Promise.all([one.close(), two.close()]);
    await second.close();

    expect(data.purchase.state).toBe('SUCCEEDED');
  });

  test('with two secrets do not', async () => {
    const other = registration('of-other-replicas.com');
    const second = await replica('t'.repeat(32));
    const [one, two] = [await connectModern(first.url), await connectModern(second.url)];
    const token = await tokenOf(one, other);
    const refused = await two.call('buy', { token });
    await Promise.all([one.close(), two.close()]);
    await second.close();

    expectRefused(refused, notValid);
  });
});

test('without a secret each process has a key of its own, and the refusal names where the outcome is', async () => {
  const gateways = [
    await startTestGateway({ env: writes }),
    await startTestGateway({ env: writes }),
  ];
  const clients = await Promise.all(gateways.map(({ url }) => connectModern(url)));
  const [one, two] = clients as [ToolClient, ToolClient];
  const args = registration('of-two-processes.com');
  const token = await tokenOf(one, args);
  const refused = await two.call('buy', { token });
  const accepted = await one.call('buy', { token });
  await Promise.all([...clients, ...gateways].map((each) => each.close()));

  expectRefused(refused, notValid);
  expect(refused.text).toContain('If the token was used before, `purchases` shows the purchase');
  expect(accepted.data.purchase.state).toBe('SUCCEEDED');
});

describe('without MCP_WRITES', () => {
  let gateway: TestGateway;
  let client: ToolClient;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 20 });
    client = await connectModern(gateway.url);
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(async () => {
    await client?.close();
    await gateway?.close();
  });

  const fields = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const hostile: readonly unknown[] = [
    ...fields.slice(0, 1).map((field) => `mutation { ${field}(input: {}) { errors { code } } }`),
    '"}) { name } } mutation { registerDomain(input: {}) { dryRun } } #',
    'reseller-demo.com") { name } } mutation Other { clearLogs { errors { code } } } query More { domain(name: "a.com',
    { query: 'mutation { logout { errors { code } } }' },
    ['$input', '{{input}}'],
    { __typename: 'Mutation' },
  ];

  test('no tool reaches a mutation, whatever its arguments are', { tags: ['M2'] }, async () => {
    const tools = await client.list();
    for (const { name, inputSchema } of tools) {
      const { properties } = inputSchema as { properties: Record<string, unknown> };
      for (const value of hostile) {
        const all = Object.fromEntries(Object.keys(properties).map((key) => [key, value]));
        await client.call(name, all).catch(() => null);
      }
      await client.call(name, { operationName: 'Other', query: hostile[2] }).catch(() => null);
    }
    const reading = new Set([
      ...['tldlist', 'getdomainlist', 'getdetails', 'resellerdetails'],
      ...['singlecheckavailability', 'bulkcheckavailability'],
    ]);
    const calls = Object.keys(await gateway.countCalls());
    expect(calls.filter((action) => !reading.has(action))).toEqual([]);
  });

  test.each([...fields, 'buy', 'quote_purchase', 'preview_change', 'apply_change'])(
    'there is no tool "%s"',
    { tags: ['M2'] },
    async (name) => {
      await expect(client.call(name, { input: {} })).rejects.toThrow('This tool does not exist.');
    },
  );
});
