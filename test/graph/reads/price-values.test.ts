import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());

const tld = (name: string, fields: string) =>
  read(gateway, `{ tld(name: "${name}") { ${fields} } }`).then((it) => it.tld);
const listed = 'operation upstreamOperation period price { amount currency }';

test('a TLD has its bounds and every listed price, with four decimal places', async () => {
  const usd = (amount: string) => ({ period: 1, price: { amount, currency: 'USD' } });

  const com = await tld(
    'com',
    `upstreamId status minLength maxLength minPeriod maxPeriod prices { ${listed} }`,
  );

  expect({ ...com, prices: undefined }).toEqual({
    upstreamId: 1,
    status: 'Active',
    minLength: 2,
    maxLength: 63,
    minPeriod: 1,
    maxPeriod: 10,
  });
  expect(com.prices).toHaveLength(6);
  expect(com.prices).toEqual(
    expect.arrayContaining([
      { operation: 'REGISTRATION', upstreamOperation: 'registration', ...usd('11.2900') },
      { operation: 'RENEWAL', upstreamOperation: 'renew', ...usd('11.4900') },
      { operation: 'TRANSFER', upstreamOperation: 'transfer', ...usd('10.5900') },
      { operation: 'RESTORE', upstreamOperation: 'restore', ...usd('85.0000') },
      { operation: 'BACKORDER', upstreamOperation: 'backorder', ...usd('48.8500') },
      { operation: 'REFUND', upstreamOperation: 'refund', ...usd('11.2900') },
    ]),
  );
});

test('a price of 0.0000 is a price, and a missing price is null', { tags: ['G7'] }, async () => {
  const uk = await tld('uk', 'price(operation: TRANSFER) { price { amount currency } }');
  const nl = await tld(
    'nl',
    'price(operation: RESTORE) { price { amount } } prices(operation: RESTORE) { period }',
  );

  expect(uk.price).toEqual({ price: { amount: '0.0000', currency: 'USD' } });
  expect(nl).toEqual({ price: null, prices: [] });
});

test('.ai has a price for two years only, and the default is the shortest period', async () => {
  const ai = await tld(
    'ai',
    `minPeriod one: price(operation: REGISTRATION, period: 1) { period }
     shortest: price(operation: REGISTRATION) { period price { amount } }
     two: price(operation: REGISTRATION, period: 2) { period price { amount } }
     all: prices(operation: REGISTRATION) { period } second: prices(period: 2) { operation }`,
  );

  expect(ai).toEqual({
    minPeriod: 2,
    one: null,
    shortest: { period: 2, price: { amount: '139.8000' } },
    two: { period: 2, price: { amount: '139.8000' } },
    all: [{ period: 2 }],
    second: expect.arrayContaining([{ operation: 'REGISTRATION' }, { operation: 'RENEWAL' }]),
  });
});

test('a TLD that lists each year has exactly the listed prices', async () => {
  const { prices } = await tld(
    'blog',
    'prices(operation: REGISTRATION) { period price { amount } }',
  );

  expect(prices).toHaveLength(10);
  expect(prices[9]).toEqual({ period: 10, price: { amount: '180.4950' } });
});

test.each([
  ['tel', [{ operation: 'OTHER', upstreamOperation: 'setup', period: 0 }]],
  ['de', [{ operation: 'OTHER', upstreamOperation: 'trade', period: 1 }]],
  ['xn--80asehdb', [{ operation: 'OTHER', upstreamOperation: 'additionallicence', period: 1 }]],
])('a price of another operation keeps its upstream name: %s', async (name, prices) => {
  const response = await tld(
    name,
    `prices(operation: OTHER) { operation upstreamOperation period }`,
  );

  expect(response).toEqual({ prices });
});

test('a TLD without prices is listed', async () => {
  expect(await tld('travel', 'status maxPeriod prices { period }')).toEqual({
    status: 'Active',
    maxPeriod: 10,
    prices: [],
  });
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

  expect(gen.price.price).toEqual({ amount: '149.0000', currency: 'TRY' });
  const usd = { money: { amount: '2500.0000', currency: 'USD' }, symbol: '$' };
  expect(reseller).toEqual({
    upstreamId: 100_001,
    name: 'Demo Reseller',
    active: true,
    balance: usd,
    balances: [usd, { money: { amount: '60000.0000', currency: 'TRY' }, symbol: 'TL' }],
  });
});

test('an account with the number -1 is returned with it', async () => {
  const login = { DOMAIN_API_USERNAME: 'other', DOMAIN_API_PASSWORD: 'other-password' };
  const other = await startTestGateway({ sandboxDomains: 1, env: login });

  const { reseller } = await read(other, '{ reseller { upstreamId name } }');
  await other.close();

  expect(reseller).toEqual({ upstreamId: -1, name: 'Other Reseller' });
});
