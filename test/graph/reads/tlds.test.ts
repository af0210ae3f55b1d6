import { afterAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../../sandbox/service/catalogue.ts';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { priceOf } from '../../support/prices.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 1, sandboxTlds: everyTld });
afterAll(() => gateway.close());

describe('the list of TLDs', () => {
  const inOrder = catalogue.map(({ tld }) => tld).sort();

  test.each([
    ['forward', '', 100],
    ['backward', 'com', 20],
    ['single', '', 1_000],
  ])('contains every TLD once in %s pages', async (direction, contains, size) => {
    const isForward = direction !== 'backward';
    const args = isForward ? 'first: $size, after: $at' : 'last: $size, before: $at';
    const chosen = inOrder.filter((name) => name.includes(contains));
    const seen: string[] = [];
    for (let at: string | null = null, more = true; more; ) {
      const { tlds } = await read(
        gateway,
        `query ($size: Int, $at: String) { tlds(${args}, filter: { contains: "${contains}" }) {
          totalCount nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        } }`,
        { size, at },
      );
      expect(tlds.totalCount).toBe(chosen.length);
      const page = tlds.nodes.map(({ name }: { name: string }) => name);
      seen.splice(isForward ? seen.length : 0, 0, ...page);
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = tlds.pageInfo;
      [at, more] = isForward ? [endCursor, hasNextPage] : [startCursor, hasPreviousPage];
    }

    expect(seen).toEqual(chosen);
  });

  test.each([
    ['{ names: [".COM", "рф", "unsold-tld"] }', ['com', 'xn--p1ai']],
    ['{ contains: "ОНЛ" }', ['xn--80asehdb']],
    ['{ contains: "com.", active: true }', ['com.au', 'com.ng', 'com.tr']],
    ['{ active: false }', ['museum']],
    ['{ currency: "TL" }', ['com.tr', 'gen.tr', 'tr']],
    ['{ currency: "TRY" }', ['com.tr', 'gen.tr', 'tr']],
    ['{ period: 1, names: ["ai", "com", "de"] }', ['com', 'de']],
    ['{ period: 6, names: ["ai", "com", "de", "co"] }', ['ai', 'com']],
    ['{ names: [] }', []],
  ])('has exactly the TLDs that match the filter %s', async (filter, names) => {
    const list = `{ tlds(filter: ${filter}) { totalCount nodes { name } } }`;

    expect((await read(gateway, list)).tlds).toEqual({
      ...{ totalCount: names.length, nodes: names.map((name) => ({ name })) },
    });
  });

  test('parses a filter of a thousand names once, and not once per TLD', async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `unsold-ü${at}`);
    const before = process.cpuUsage();

    const { tlds } = await read(
      gateway,
      'query ($names: [String!]) { tlds(filter: { names: $names }) { totalCount } }',
      { names: [...names, 'com'] },
    );

    expect(tlds.totalCount).toBe(1);
    const { user, system } = process.cpuUsage(before);
    // Microseconds of CPU time, which does not depend on other programs.
    expect(user + system).toBeLessThan(2_000_000);
  });
});

describe('the prices of a TLD', () => {
  const tld = async (name: string, fields: string) =>
    (await read(gateway, `{ tld(name: "${name}") { ${fields} } }`)).tld;
  const usd = (amount: string) => ({ amount, currency: 'USD' });

  test('are listed beside its bounds, with four decimal places', async () => {
    const prices =
      'operation upstreamOperation period price { amount currency } cost { amount currency }';
    const com = await tld(
      'com',
      `upstreamId status minLength maxLength minPeriod maxPeriod prices { ${prices} }`,
    );

    const yearly = (operation: string, upstreamOperation: string, amount: string) => ({
      ...{
        operation,
        upstreamOperation,
        period: 1,
        price: usd(priceOf(amount)),
        cost: usd(amount),
      },
    });
    const listed = [
      yearly('REGISTRATION', 'registration', '11.2900'),
      yearly('RENEWAL', 'renew', '11.4900'),
      yearly('TRANSFER', 'transfer', '10.5900'),
      yearly('RESTORE', 'restore', '85.0000'),
      yearly('BACKORDER', 'backorder', '48.8500'),
      yearly('REFUND', 'refund', '11.2900'),
    ];
    expect(com).toEqual({
      ...{ upstreamId: 1, status: 'Active', minLength: 2, maxLength: 63 },
      ...{ minPeriod: 1, maxPeriod: 10, prices: expect.arrayContaining(listed) },
    });
    expect(com.prices).toHaveLength(listed.length);
  });

  test('may be 0.0000, and a missing price is null', { tags: ['G7'] }, async () => {
    expect(await tld('uk', 'price(operation: TRANSFER) { price { amount currency } }')).toEqual({
      price: { price: usd('0.0000') },
    });
    expect(
      await tld('nl', 'price(operation: RESTORE) { period } prices(operation: RESTORE) { period }'),
    ).toEqual({ price: null, prices: [] });
    expect(await tld('travel', 'status maxPeriod prices { period }')).toEqual({
      ...{ status: 'Active', maxPeriod: 10, prices: [] },
    });
  });

  test('of .ai are for two years only, and the default is the shortest period', async () => {
    const ai = await tld(
      'ai',
      `minPeriod one: price(operation: REGISTRATION, period: 1) { period }
       shortest: price(operation: REGISTRATION) { period price { amount } }
       two: price(operation: REGISTRATION, period: 2) { period price { amount } }
       all: prices(operation: REGISTRATION) { period } second: prices(period: 2) { operation }`,
    );

    const two = { period: 2, price: { amount: '279.6000' } };
    expect(ai).toEqual({
      ...{ minPeriod: 2, one: null, shortest: two, two, all: [{ period: 2 }] },
      second: expect.arrayContaining([{ operation: 'REGISTRATION' }, { operation: 'RENEWAL' }]),
    });
  });

  test('of a TLD that lists each year are exactly the listed ones', async () => {
    const fields = 'prices(operation: REGISTRATION) { period price { amount } }';
    const { prices } = await tld('blog', fields);

    expect(prices).toHaveLength(10);
    expect(prices[9]).toEqual({ period: 10, price: { amount: '360.9900' } });
  });

  test.each([
    ['tel', 'setup', 0],
    ['de', 'trade', 1],
    ['xn--80asehdb', 'additionallicence', 1],
  ])(
    'of another operation keep its upstream name: %s %s',
    async (name, upstreamOperation, period) => {
      const fields = 'prices(operation: OTHER) { operation upstreamOperation period }';

      expect(await tld(name, fields)).toEqual({
        prices: [{ operation: 'OTHER', upstreamOperation, period }],
      });
    },
  );
});

test('TL is returned as TRY in prices and balances, and the symbol is unchanged', {
  tags: ['G8'],
}, async () => {
  const { gen, reseller } = await read(
    gateway,
    `{
      gen: tld(name: "gen.tr") { price(operation: RENEWAL) { price { amount currency } } }
      reseller {
        upstreamId name active
        balance { money { amount currency } symbol } balances { money { amount currency } symbol }
      }
    }`,
  );

  expect(gen.price.price).toEqual({ amount: '298.0000', currency: 'TRY' });
  const balance = { money: { amount: '2500.0000', currency: 'USD' }, symbol: '$' };
  expect(reseller).toEqual({
    ...{ upstreamId: 100_001, name: 'Demo Reseller', active: true, balance },
    balances: [balance, { money: { amount: '60000.0000', currency: 'TRY' }, symbol: 'TL' }],
  });
});

test('an account with the number -1 is returned with it', async () => {
  const login = { DOMAIN_API_USERNAME: 'other', DOMAIN_API_PASSWORD: 'other-password' };
  const other = await startTestGateway({ sandboxDomains: 1, env: login });

  const { reseller } = await read(other, '{ reseller { upstreamId name } }');
  await other.close();

  expect(reseller).toEqual({ upstreamId: -1, name: 'Other Reseller' });
});
