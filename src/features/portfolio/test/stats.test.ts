import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { arm, read } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 700, sandboxListSize: 0 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

interface Row {
  readonly name: string;
  readonly state: string;
  readonly expiresAt: string;
  readonly nameServers: readonly string[];
}
interface Money {
  readonly amount: string;
  readonly currency: string;
}
interface Tld {
  readonly name: string;
  readonly price: { readonly price: Money; readonly cost: Money } | null;
}
interface Month {
  readonly month: string;
  readonly count: number;
  readonly unpriced: number;
}

/** Every item of a list, page by page. */
async function all<T>(field: string, selection: string): Promise<T[]> {
  const seen: T[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { list } = await read(
      gateway,
      `query ($after: String) { list: ${field}(first: 100, after: $after) {
        nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    seen.push(...list.nodes);
    ({ endCursor: after, hasNextPage: more } = list.pageInfo);
  }
  return seen;
}

const rows = await all<Row>('domains', 'name state expiresAt nameServers');
const amounts = 'price { amount currency } cost { amount currency }';
const tlds = await all<Tld>('tlds', `name price(operation: RENEWAL) { ${amounts} }`);
const now = new Date();

const zoneOf = ({ name }: Row) => name.slice(name.indexOf('.') + 1);
const monthOf = ({ expiresAt }: Row) => expiresAt.slice(0, 7);
const isRenewed = ({ state }: Row) =>
  !['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'DELETED', 'REDEMPTION'].includes(state);

function tally(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
const asTally = (counts: readonly Readonly<Record<string, unknown>>[], key: string) =>
  Object.fromEntries(counts.map((one) => [one[key], one.count]));

/** The renewals of some domains, added up in ten-thousandths. */
function renewalsOf(due: readonly Row[]) {
  const listed = due.map((row) => tlds.find(({ name }) => name === zoneOf(row))?.price);
  const priced = listed.flatMap((one) => one ?? []);
  return {
    ...{ count: due.length, unpriced: listed.length - priced.length },
    totals: sumsOf(priced.map(({ price }) => price)).map((price, at) => ({
      ...{ price, cost: sumsOf(priced.map(({ cost }) => cost))[at] },
    })),
  };
}

function sumsOf(amounts: readonly Money[]) {
  const totals: Record<string, bigint> = {};
  for (const { amount, currency } of amounts) {
    totals[currency] = (totals[currency] ?? 0n) + BigInt(amount.replace('.', ''));
  }
  return Object.entries(totals)
    .sort()
    .map(([currency, units]) => {
      const digits = units.toString().padStart(5, '0');
      return { amount: `${digits.slice(0, -4)}.${digits.slice(-4)}`, currency };
    });
}

test('a list of 700 domains is complete', () => {
  expect(rows).toHaveLength(700);
});

describe.each([
  ['all domains', '', () => true],
  ['those under one TLD', '(filter: { tlds: ["com"] })', (row: Row) => zoneOf(row) === 'com'],
  [
    ...(['those in two states', '(filter: { states: [REDEMPTION, ACTIVE] })'] as const),
    ({ state }: Row) => ['REDEMPTION', 'ACTIVE'].includes(state),
  ],
  ['none', '(filter: { contains: "not-registered" })', () => false],
])('the counts of %s equal the counts over all rows', (_what, args, isCounted) => {
  const counted = rows.filter(isCounted);
  const send = async (selection: string) =>
    (await read(gateway, `{ stats: domainStats${args} { ${selection} } }`)).stats;

  test('by TLD, state, month and name server, for one getdomainlist', async () => {
    const stats = await send(`totalCount coverage { complete } byTld(first: 100) { value count }
      byState { state count } byExpiryMonth { value count } byNameServer(first: 100) { value count }`);

    expect(stats).toMatchObject({ totalCount: counted.length, coverage: { complete: true } });
    expect(asTally(stats.byTld, 'value')).toEqual(tally(counted.map(zoneOf)));
    expect(asTally(stats.byState, 'state')).toEqual(tally(counted.map(({ state }) => state)));
    expect(asTally(stats.byExpiryMonth, 'value')).toEqual(tally(counted.map(monthOf)));
    expect(asTally(stats.byNameServer, 'value')).toEqual(
      tally(counted.flatMap(({ nameServers }) => nameServers)),
    );
    const counts: number[] = stats.byTld.map(({ count }: { count: number }) => count);
    const months: string[] = stats.byExpiryMonth.map(({ value }: { value: string }) => value);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(months).toEqual(months.toSorted());
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('and their renewal prices, exactly', async () => {
    const { renewals } = await send(
      'renewals(months: 24) { from until count unpriced totals { price { amount currency } cost { amount currency } } }',
    );

    const expected = Array.from({ length: 24 }, (_, at) => {
      const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + at));
      const month = date.toISOString().slice(0, 7);
      const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + at + 1));
      const due = counted.filter((row) => isRenewed(row) && monthOf(row) === month);
      return { from: date.toISOString(), until: until.toISOString(), ...renewalsOf(due) };
    });
    expect(renewals).toEqual(expected);
    expect(renewals.some(({ count }: Month) => count > 0)).toBe(counted.length > 0);
    expect(await gateway.countCalls()).toEqual({
      ...{ getdomainlist: 1, ...(counted.length > 0 && { tldlist: 1 }) },
    });
  });
});

test.each([
  ['byTld(first: 101) { value }', '"first" must be from 0 to 100; it is 101.'],
  ['byNameServer(first: -1) { value }', '"first" must be from 0 to 100; it is -1.'],
  ['renewals(months: 0) { from }', '"months" must be from 1 to 120; it is 0.'],
  ['renewals(months: 121) { from }', '"months" must be from 1 to 120; it is 121.'],
])('%s is refused', async (selection, message) => {
  const { errors } = await gateway.query(`{ domainStats { ${selection} } }`);

  expect(errors).toMatchObject([{ message, extensions: { code: 'INVALID_INPUT' } }]);
});

test('first limits the number of groups, and months that of the months', async () => {
  const { domainStats } = await read(
    gateway,
    `{ domainStats { byTld(first: 2) { value } byNameServer(first: 1) { value }
      one: renewals(months: 1) { from } most: renewals(months: 120) { from } } }`,
  );

  expect(domainStats.byTld).toEqual([{ value: 'com' }, { value: expect.any(String) }]);
  expect(domainStats.byNameServer).toHaveLength(1);
  expect([domainStats.one.length, domainStats.most.length]).toEqual([1, 120]);
});

describe('the renewals that are due', () => {
  const due = async (days: number) => {
    const fields =
      'count unpriced covered totals { price { amount currency } cost { amount currency } }';
    const document = `{ reseller { renewalsDue(days: ${days}) { ${fields} } } }`;
    return (await read(gateway, document)).reseller.renewalsDue;
  };
  const setBalance = (currency: string, balance: string) =>
    gateway.admin('POST', '/balances', { currency: currency === 'TRY' ? 'TL' : currency, balance });

  test('within all days are those of all rows, for one list, one price list and one account', async () => {
    const found = await due(3_650);

    const expected = renewalsOf(
      rows.filter((row) => isRenewed(row) && new Date(row.expiresAt) >= now),
    );
    expect(found).toMatchObject(expected);
    expect(found.count).toBeGreaterThan(100);
    expect(await gateway.countCalls()).toEqual({
      ...{ getdomainlist: 1, resellerdetails: 1, tldlist: 1 },
    });
  });

  test('are covered until a balance is below its cost', async () => {
    const { totals, count, unpriced } = await due(60);
    expect([count > 0, unpriced, totals.length > 0]).toEqual([true, 0, true]);
    for (const { cost } of totals) await setBalance(cost.currency, cost.amount);
    expect(await due(60)).toMatchObject({ covered: true, totals });

    await setBalance(totals[0].cost.currency, '0.0001');

    expect(await due(60)).toMatchObject({ covered: false });
  });

  test('are covered until the last day on which the balances suffice', async () => {
    const { totals } = await due(60);
    for (const { cost } of totals) await setBalance(cost.currency, cost.amount);
    const document = '{ reseller { renewalsCovered { until count covered } } }';
    const { until, ...runway } = (await read(gateway, document)).reseller.renewalsCovered;

    const days = Math.round((Date.parse(until) - now.getTime()) / 86_400_000);
    expect(days).toBeGreaterThanOrEqual(60);
    expect(runway).toEqual({ count: (await due(days)).count, covered: true });
    expect(await due(days)).toMatchObject({ covered: true });
    expect(await due(days + 1)).toMatchObject({ covered: false });
  });

  test('are those of 1 to 3650 days, and of 30 by default', async () => {
    const { reseller } = await read(
      gateway,
      `{ reseller { one: renewalsDue(days: 1) { count } unset: renewalsDue { count }
        thirty: renewalsDue(days: 30) { count } } }`,
    );
    expect(reseller.unset).toEqual(reseller.thirty);
    expect(reseller.one.count).toBeLessThan(reseller.thirty.count);

    for (const days of [0, 3_651]) {
      const message = `"days" must be from 1 to 3650; it is ${days}.`;
      const document = `{ reseller { renewalsDue(days: ${days}) { count } } }`;
      expect((await gateway.query(document)).errors).toMatchObject([
        { message, extensions: { code: 'INVALID_INPUT' } },
      ]);
    }
  });

  test('are null without a list, with an error at their field alone', async () => {
    await arm(gateway, 'code', 'getdomainlist', { code: '300' });
    const { data, errors } = await gateway.query('{ reseller { name renewalsDue { count } } }');
    await gateway.admin('DELETE', '/faults');

    expect(data.reseller).toEqual({ name: expect.any(String), renewalsDue: null });
    expect(errors).toMatchObject([{ path: ['reseller', 'renewalsDue'] }]);
  });

  test('need the scopes of the account and of the domains', async () => {
    const own = await startTestGateway({
      env: {
        API_KEYS: apiKeysOf({
          both: ['account:read', 'domains:read'],
          ...{ account: ['account:read'], domains: ['domains:read'] },
        }),
      },
    });
    const send = (name: string) =>
      own.query('{ reseller { renewalsDue { count } } }', {}, by(name));
    const forbidden = [{ extensions: { code: 'FORBIDDEN' } }];

    expect((await send('both')).errors).toBeUndefined();
    expect((await send('account')).errors).toMatchObject(forbidden);
    expect((await send('domains')).errors).toMatchObject(forbidden);
    await own.close();
  });
});
