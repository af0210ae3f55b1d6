import { afterAll, beforeEach, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../access/keys.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 300, sandboxListSize: 0 });
afterAll(() => gateway.close());
beforeEach(async () => {
  await gateway.admin('POST', '/reset', {});
  await gateway.resetCalls();
});

const selection = 'count unpriced covered totals { amount currency }';
const due = async (days: number) =>
  (await read(gateway, `{ reseller { renewalsDue(days: ${days}) { ${selection} } } }`)).reseller
    .renewalsDue;
const setBalance = (currency: string, balance: string) =>
  gateway.admin('POST', '/balances', { currency, balance });

interface Month {
  readonly month: string;
  readonly count: number;
  readonly unpriced: number;
}

test('the renewals of all days are those of all months of domainStats, for one list, one price list and one account', async () => {
  const found = await due(3_650);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, resellerdetails: 1, tldlist: 1 });
  const { domainStats, domains } = await read(
    gateway,
    `{ domainStats { renewals(months: 120) { month count unpriced } }
      domains(filter: { expiresBefore: "${new Date().toISOString()}" }, first: 100) { nodes { state expiresAt } } }`,
  );
  const month = new Date().toISOString().slice(0, 7);
  const notRenewed = ['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'DELETED', 'REDEMPTION'];
  // Those that expired earlier in this month are not due within the next days.
  const past = domains.nodes.filter(
    ({ state, expiresAt }: { state: string; expiresAt: string }) =>
      expiresAt.startsWith(month) && !notRenewed.includes(state),
  );
  const sum = (key: 'count' | 'unpriced') =>
    domainStats.renewals.reduce((total: number, one: Month) => total + one[key], 0);

  expect(found.count).toBe(sum('count') - past.length);
  expect(found.count).toBeGreaterThan(100);
  expect(found.unpriced).toBeLessThanOrEqual(sum('unpriced'));
});

test('renewals are covered until a balance is below its total', async () => {
  const { totals, count, unpriced } = await due(60);
  expect([count > 0, unpriced, totals.length > 0]).toEqual([true, 0, true]);
  for (const { amount, currency } of totals) {
    await setBalance(currency === 'TRY' ? 'TL' : currency, amount);
  }
  expect(await due(60)).toMatchObject({ covered: true, totals });

  const [{ currency }] = totals;
  await setBalance(currency === 'TRY' ? 'TL' : currency, '0.0001');

  expect(await due(60)).toMatchObject({ covered: false });
});

test('days from 1 to 3650 are accepted, and 30 is the default', async () => {
  const { reseller } = await read(
    gateway,
    `{ reseller { one: renewalsDue(days: 1) { count } unset: renewalsDue { count } thirty: renewalsDue(days: 30) { count } } }`,
  );
  expect(reseller.unset).toEqual(reseller.thirty);
  expect(reseller.one.count).toBeLessThan(reseller.thirty.count);

  for (const days of [0, 3_651]) {
    const { errors } = await gateway.query(`{ reseller { renewalsDue(days: ${days}) { count } } }`);
    expect(errors).toMatchObject([
      {
        message: `"days" must be from 1 to 3650; it is ${days}.`,
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  }
});

test('a list that cannot be read makes it null, with an error at its field alone', async () => {
  await arm(gateway, 'code', 'getdomainlist', { code: '300' });
  const { data, errors } = await gateway.query('{ reseller { name renewalsDue { count } } }');
  await gateway.admin('DELETE', '/faults');

  expect(data.reseller).toMatchObject({ name: expect.any(String), renewalsDue: null });
  expect(errors).toMatchObject([{ path: ['reseller', 'renewalsDue'] }]);
});

test('it needs the scopes of the account and of the domains', async () => {
  const own = await startTestGateway({
    env: {
      API_KEYS: apiKeysOf({
        both: ['account:read', 'domains:read'],
        account: ['account:read'],
        domains: ['domains:read'],
      }),
    },
  });
  const codes = async (name: string) => {
    const { errors = [] } = await own.query('{ reseller { renewalsDue { count } } }', {}, by(name));
    return errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
  };

  expect([await codes('both'), await codes('account'), await codes('domains')]).toEqual([
    ...[[], ['FORBIDDEN'], ['FORBIDDEN']],
  ]);
  await own.close();
});
