import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { partOf, withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { accessScopes, anonymous } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import { execute } from '../../lib/graphql-js.ts';
import { StoredReads } from '../../scope/reads.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { PortfolioIndex } from './list-index/portfolio-index.ts';
import { portfolio } from './service.ts';

const names = ['a.com', 'b.net', 'c.com', 'd.unsold', 'e.com'];
const asOf = new Date('2026-01-31T11:00:00Z');

async function start({ tldsFail = false } = {}) {
  const time = createSimulatedClock();
  const rows = names.map((name, at) => ({
    ...{ name, status: 'Active', state: 'ACTIVE', nameServers: ['ns1.a.net'] },
    ...{ expiresAt: new Date(Date.UTC(2026, at, 28)), registeredAt: null },
  })) as unknown as DomainDetails[];
  const index = await PortfolioIndex.read(time.clock).end(rows);
  const calls: string[] = [];
  const read = (how: string) => async () => {
    calls.push(how);
    return { index, asOf, complete: false, upstreamCount: 9, find: () => null };
  };
  const above = async (name: string) => {
    if (tldsFail) throw new Fault('UPSTREAM_TIMEOUT');
    const tld = name.slice(2);
    return tld === 'unsold' ? null : { label: 'a', tld: tldWith(tld, { renewal: '12' }) };
  };
  let elapsedMs = 0;
  const waits: number[] = [];
  const slowClock = {
    monotonicMs: () => (elapsedMs += 1),
    wait: async (ms: number) => void waits.push(ms),
  };
  const parts = {
    portfolioReads: { list: read('list'), refreshed: read('refreshed') },
    ...{ tldReads: { above }, pricing: plainQuotes },
    filterResolver: async (filter: unknown) => filter,
  };
  const facts = { clock: time.clock, stored: new StoredReads(slowClock) };
  const scope = {
    ...{ clock: time.clock, caller: { ...anonymous, scopes: new Set(Object.keys(accessScopes)) } },
    ...withParts({ portfolio: partOf(portfolio, parts, facts) }),
  };
  const send = async (text: string) => {
    const result = await execute({ schema, document: parse(text), contextValue: scope });
    return JSON.parse(JSON.stringify(result));
  };
  return { send, calls, time, waits };
}

test('other requests run between the pages and the counts of a request', async () => {
  const { send, waits } = await start();

  await send(
    '{ domains(first: 1) { totalCount } domainStats { byState { count } byTld { count } } }',
  );

  expect(waits).toEqual([0, 0, 0, 0]);
});

describe('a page of domains', () => {
  test('has the domains, the facts of the list and its cursors', async () => {
    const { send } = await start();
    const page = `totalCount coverage { complete asOf listed } nodes { name }
      pageInfo { hasNextPage hasPreviousPage endCursor }`;
    const { data } = await send(`{ domains(first: 2) { ${page} } }`);
    const next = await send(
      `{ domains(first: 2, after: "${data.domains.pageInfo.endCursor}",
        orderBy: { field: NAME, direction: ASC }) { ${page} } }`,
    );

    expect(data.domains).toMatchObject({
      ...{ totalCount: 5, coverage: { complete: false, asOf: asOf.toISOString(), listed: 9 } },
      nodes: [{ name: 'a.com' }, { name: 'b.net' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
    });
    expect(next.data.domains).toMatchObject({ nodes: [{ name: 'c.com' }, { name: 'd.unsold' }] });
  });

  test('has a filter and an order, by the time of the request', async () => {
    const { send } = await start();
    const { data } = await send(`{ domains(
      filter: { tlds: ["com"], states: [ACTIVE] }
      orderBy: { field: EXPIRES_AT, direction: DESC }) { nodes { name state } } }`);

    expect(data.domains.nodes).toEqual([
      { name: 'e.com', state: 'ACTIVE' },
      { name: 'c.com', state: 'ACTIVE' },
    ]);
  });

  test.each([
    ['a cursor that is none', 'first: 1, after: "none"'],
    ['too many domains', 'first: 101'],
  ])('is refused before the list is read: %s', async (_what, args) => {
    const { send, calls } = await start();

    expect((await send(`{ domains(${args}) { totalCount } }`)).errors).toHaveLength(1);
    expect(calls).toEqual([]);
  });

  test('refuses a cursor of another order', async () => {
    const { send } = await start();
    const { data } = await send('{ domains(first: 1) { pageInfo { endCursor } } }');
    const args = `after: "${data.domains.pageInfo.endCursor}", orderBy: { direction: DESC }`;

    expect((await send(`{ domains(${args}) { totalCount } }`)).errors).toHaveLength(1);
  });
});

describe('the counts of domains', () => {
  test('are those of the selected domains', async () => {
    const { send } = await start();
    const { data } = await send(`{ domainStats(filter: { tlds: ["com", "net"] }) {
      totalCount coverage { complete asOf } byTld { value count } byState { state count }
      byExpiryMonth { value count } byNameServer { value count } } }`);

    expect(data.domainStats).toEqual({
      ...{ totalCount: 4, coverage: { complete: false, asOf: asOf.toISOString() } },
      byTld: [
        { value: 'com', count: 3 },
        { value: 'net', count: 1 },
      ],
      byState: [
        { state: 'ACTIVE', count: 3 },
        { state: 'EXPIRED', count: 1 },
      ],
      byExpiryMonth: ['2026-01', '2026-02', '2026-03', '2026-05'].map((value) => ({
        ...{ value, count: 1 },
      })),
      byNameServer: [{ value: 'ns1.a.net', count: 4 }],
    });
  });

  test('are as many as requested', async () => {
    const { send } = await start();
    const { data } = await send(
      '{ domainStats { byTld(first: 1) { value } byNameServer(first: 0) { value } } }',
    );

    expect(data.domainStats).toEqual({ byTld: [{ value: 'com' }], byNameServer: [] });
  });

  test('have the renewals from the current month on', async () => {
    const { send } = await start();
    const { data } = await send(
      '{ domainStats { renewals(months: 4) { from count unpriced totals { price { amount currency } } } } }',
    );

    const priced = {
      count: 1,
      unpriced: 0,
      totals: [{ price: { amount: '12.0000', currency: 'USD' } }],
    };
    expect(data.domainStats.renewals).toEqual([
      { from: '2026-01-01T00:00:00.000Z', ...priced },
      { from: '2026-02-01T00:00:00.000Z', ...priced },
      { from: '2026-03-01T00:00:00.000Z', ...priced },
      { from: '2026-04-01T00:00:00.000Z', count: 1, unpriced: 1, totals: [] },
    ]);
  });

  test('have renewals of 12 months unless another number is requested', async () => {
    const { send } = await start();

    expect(
      (await send('{ domainStats { renewals { from } } }')).data.domainStats.renewals,
    ).toHaveLength(12);
  });

  test.each([
    [0, 1],
    [1, 0],
    [120, 0],
    [121, 1],
  ])('have renewals of 1 to 120 months: %i', async (months, count) => {
    const { send } = await start();
    const { errors = [] } = await send(`{ domainStats { renewals(months: ${months}) { from } } }`);

    expect(errors).toHaveLength(count);
  });

  test('have an error of the renewals when the price list cannot be read', async () => {
    const { send } = await start({ tldsFail: true });

    expect((await send('{ domainStats { renewals { count } } }')).errors).toHaveLength(1);
  });
});

test('refresh bypasses the cached list', async () => {
  const { send, calls } = await start();
  await send('{ domains(refresh: true) { totalCount } }');
  await send('{ domainStats(refresh: true) { totalCount } }');
  await send('{ domains { totalCount } domainStats { totalCount } }');

  expect(calls).toEqual(['refreshed', 'refreshed', 'list', 'list']);
});

async function send(args: string) {
  const days: number[] = [];
  const contextValue = {
    caller: anonymous,
    hidesCosts: false,
    ...withParts({
      resellerRead: async () => ({ name: 'Demo' }),
      portfolio: {
        async renewalsDue(within: number) {
          days.push(within);
          const coveredBy = ({ name }: { name: string }, hidesCosts: boolean) =>
            hidesCosts ? {} : { covered: null, reason: name };
          return { count: 3, unpriced: 1, totals: [money('5', 'USD')], costs: [], coveredBy };
        },
      },
    }),
  };
  const selection = 'count unpriced covered coveredReason totals { price { amount currency } }';
  const document = parse(`{ reseller { renewalsDue${args} { ${selection} } } }`);
  const { data, errors } = await execute({ schema, document, contextValue });
  return { data: JSON.parse(JSON.stringify(data)), errors, days };
}

test('the renewals that are due have their count, their totals and the decision', async () => {
  const { data, days } = await send('');

  expect(days).toEqual([30]);
  expect(data.reseller.renewalsDue).toEqual({
    ...{ count: 3, unpriced: 1, covered: null, coveredReason: 'Demo' },
    totals: [{ price: { amount: '5.0000', currency: 'USD' } }],
  });
});

test.each([1, 3_650])('%i days are accepted', async (days) => {
  expect((await send(`(days: ${days})`)).days).toEqual([days]);
});

test.each([0, 3_651, -1])('%i days are refused before anything is read', async (number) => {
  const { errors, days } = await send(`(days: ${number})`);

  expect(days).toEqual([]);
  expect(errors?.[0]?.originalError).toMatchObject({
    ...{ inputPath: ['days'], facts: { minimum: 1, maximum: 3_650 } },
  });
});
