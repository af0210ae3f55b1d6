import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 700, sandboxListSize: 0 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

interface Row {
  readonly name: string;
  readonly state: string;
  readonly expiresAt: string | null;
  readonly nameServers: readonly string[];
}
interface Price {
  readonly name: string;
  readonly price: { readonly price: { readonly amount: string; readonly currency: string } } | null;
}

/** Every one of a list, page by page. */
async function all<T>(field: string, selection: string): Promise<T[]> {
  const seen: T[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const response = await read(
      gateway,
      `query ($after: String) { list: ${field}(first: 100, after: $after) {
        nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    seen.push(...response.list.nodes);
    ({ endCursor: after, hasNextPage: more } = response.list.pageInfo);
  }
  return seen;
}

const rows = await all<Row>('domains', 'name state expiresAt nameServers');
const prices = await all<Price>(
  'tlds',
  'name price(operation: RENEWAL) { price { amount currency } }',
);

const zoneOf = ({ name }: Row) => name.slice(name.indexOf('.') + 1);
const monthOf = ({ expiresAt }: Row) => expiresAt?.slice(0, 7) ?? '';

function tally(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
const asTally = (counts: readonly { count: number }[], key: string) =>
  Object.fromEntries(
    counts.map((one) => [(one as unknown as Record<string, string>)[key], one.count]),
  );

test('a list of 700 domains is complete', () => {
  expect(rows).toHaveLength(700);
});

describe.each([
  ['all domains', '', () => true],
  ['those under one TLD', 'filter: { tlds: ["com"] }', (row: Row) => zoneOf(row) === 'com'],
  [
    'those in two states',
    'filter: { states: [REDEMPTION, ACTIVE] }',
    (row: Row) => ['REDEMPTION', 'ACTIVE'].includes(row.state),
  ],
  ['none', 'filter: { contains: "not-registered" }', () => false],
])('the counts of %s equal the counts over all rows', (_what, args, isCounted) => {
  const counted = rows.filter(isCounted);
  const send = async (selection: string) => {
    const field = args === '' ? 'domainStats' : `domainStats(${args})`;
    return (await read(gateway, `{ stats: ${field} { ${selection} } }`)).stats;
  };

  test('by TLD, state, month and name server, for one getdomainlist', async () => {
    const stats =
      await send(`totalCount complete byTld(first: 100) { tld count } byState { state count }
      byExpiryMonth { month count } byNameServer(first: 100) { host count }`);

    expect(stats).toMatchObject({ totalCount: counted.length, complete: true });
    expect(asTally(stats.byTld, 'tld')).toEqual(tally(counted.map(zoneOf)));
    expect(asTally(stats.byState, 'state')).toEqual(tally(counted.map(({ state }) => state)));
    expect(asTally(stats.byExpiryMonth, 'month')).toEqual(tally(counted.map(monthOf)));
    expect(asTally(stats.byNameServer, 'host')).toEqual(
      tally(counted.flatMap(({ nameServers }) => nameServers)),
    );
    const counts = stats.byTld.map(({ count }: { count: number }) => count);
    const months = stats.byExpiryMonth.map(({ month }: { month: string }) => month);
    expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
    expect(months).toEqual(months.toSorted());
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('and their renewal prices, exactly', async () => {
    const { renewals } = await send(
      'renewals(months: 24) { month count unpriced totals { amount currency } }',
    );

    const now = systemClock.now();
    const expected = Array.from({ length: 24 }, (_, at) => {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + at))
        .toISOString()
        .slice(0, 7);
      const due = counted
        .filter((row) => monthOf(row) === month)
        .filter(
          ({ state }) =>
            !['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'DELETED', 'REDEMPTION'].includes(state),
        )
        .map((row) => prices.find(({ name }) => name === zoneOf(row))?.price?.price ?? null);
      const totals: Record<string, bigint> = {};
      for (const price of due) {
        if (!price) continue;
        const units = BigInt(price.amount.replace('.', ''));
        totals[price.currency] = (totals[price.currency] ?? 0n) + units;
      }
      return {
        month,
        count: due.length,
        unpriced: due.filter((price) => price === null).length,
        totals: Object.entries(totals)
          .sort()
          .map(([currency, units]) => {
            const digits = units.toString().padStart(5, '0');
            return { amount: `${digits.slice(0, -4)}.${digits.slice(-4)}`, currency };
          }),
      };
    });
    expect(renewals).toEqual(expected);
    expect(renewals.some(({ count }: { count: number }) => count > 0)).toBe(counted.length > 0);
    expect(await gateway.countCalls()).toEqual(
      counted.length > 0 ? { getdomainlist: 1, tldlist: 1 } : { getdomainlist: 1 },
    );
  });
});

test.each([
  ['byTld(first: 101) { tld }', '"first" must be from 0 to 100; it is 101.'],
  ['byNameServer(first: -1) { host }', '"first" must be from 0 to 100; it is -1.'],
  ['renewals(months: 0) { month }', '"months" must be from 1 to 120; it is 0.'],
  ['renewals(months: 121) { month }', '"months" must be from 1 to 120; it is 121.'],
])('%s is refused', async (selection, sentence) => {
  const { errors } = await gateway.query(`{ domainStats { ${selection} } }`);

  expect(errors).toMatchObject([{ message: sentence, extensions: { code: 'BAD_USER_INPUT' } }]);
});

test.each([1, 120])('the renewals of %i months are returned', async (months) => {
  const { domainStats } = await read(
    gateway,
    `{ domainStats(filter: { contains: "none" }) { renewals(months: ${months}) { month } } }`,
  );

  expect(domainStats.renewals).toHaveLength(months);
});

test('first limits the number of groups', async () => {
  const { domainStats } = await read(
    gateway,
    '{ domainStats { byTld(first: 2) { tld } byNameServer(first: 1) { host } } }',
  );

  expect(domainStats.byTld).toHaveLength(2);
  expect(domainStats.byTld[0]).toEqual({ tld: 'com' });
  expect(domainStats.byNameServer).toHaveLength(1);
});
