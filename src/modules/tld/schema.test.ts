import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { accessScopes, anonymous } from '../../kernel/caller.ts';
import { globalId } from '../../kernel/ids.ts';
import { execute } from '../../lib/graphql-js.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import { type TldDetails, tldEntry } from '../../upstream/domain-api/tld-shapes.ts';
import { createQuoteService } from '../quote/service.ts';
import { createTldReads } from './loader.ts';

const row = (tld: string, changes: object = {}) => {
  const entry = {
    ...{ id: 1, status: 'Active', tld, minchar: 1, maxchar: 63, minperiod: 1, maxperiod: 10 },
    pricing: { registration: { 5: '50', 2: '20' }, renew: { 1: '10' }, transfer: { 1: 'dear' } },
    currencies: { registration: 'USD', renew: 'EUR', transfer: 'USD' },
    ...changes,
  };
  return tldEntry(entry) as TldDetails;
};

const tlds = [
  row('com'),
  row('co.uk', { minperiod: 2, maxperiod: 3 }),
  row('xn--p1ai', { currencies: { registration: 'EUR' } }),
  row('gone', { status: 'Suspended' }),
  row('blank', { status: ' ACTIVE ', minperiod: 'x', maxperiod: 'x', pricing: {} }),
  row('odd', { status: {} }),
];

function start() {
  const calls: string[] = [];
  const readsOf = (how: string) => {
    const tldlist = async () => {
      calls.push(how);
      return { tlds, rowCount: tlds.length, hasEveryRow: true };
    };
    return createTldReads({ tldlist } as unknown as DomainApi, {});
  };
  const cached = readsOf('cached');
  const scope = {
    caller: { ...anonymous, scopes: new Set(Object.keys(accessScopes)) },
    reads: withParts({ tldReads: cached }),
    fresh: withParts({ tldReads: readsOf('fresh') }),
    ...withParts({ tldReads: cached, quotes: createQuoteService(plainQuotes, cached) }),
  };
  const send = async (text: string) => {
    const result = await execute({ schema, document: parse(text), contextValue: scope });
    return JSON.parse(JSON.stringify(result));
  };
  return { send, calls };
}

describe('a filter of TLDs returns those', () => {
  const all = ['com', 'co.uk', 'xn--p1ai', 'gone', 'blank', 'odd'];

  test.each<[string, readonly string[]]>([
    ['{}', all],
    ['{ names: [".COM", "рф", "unsold", "no tld"] }', ['com', 'xn--p1ai']],
    ['{ names: [] }', []],
    ['{ contains: " CO " }', ['com', 'co.uk']],
    ['{ contains: "р" }', ['xn--p1ai']],
    ['{ contains: "p1" }', ['xn--p1ai']],
    ['{ contains: " " }', all],
    ['{ active: true }', ['com', 'co.uk', 'xn--p1ai', 'blank']],
    ['{ active: false }', ['gone', 'odd']],
    ['{ active: null, period: null }', all],
    ['{ period: 1 }', all.filter((name) => name !== 'co.uk')],
    ['{ period: 2 }', all],
    ['{ period: 3 }', all],
    ['{ period: 4 }', all.filter((name) => name !== 'co.uk')],
    ['{ period: 10 }', all.filter((name) => name !== 'co.uk')],
    ['{ period: 11 }', []],
    ['{ period: 0 }', []],
    ['{ currency: "EUR" }', ['xn--p1ai']],
    ['{ currency: "USD", active: false }', ['gone', 'odd']],
  ])('%s', async (filter, names) => {
    const { data } = await start().send(
      `{ tlds(first: 50, filter: ${filter}) { totalCount complete nodes { name } } }`,
    );

    expect(data.tlds.nodes.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      names.toSorted(),
    );
    // A price of each TLD cannot be read.
    expect(data.tlds).toMatchObject({ totalCount: names.length, complete: false });
  });
});

describe('the prices of a TLD', () => {
  const prices = async (field: string) => {
    const { data, errors } = await start().send(`{ tld(name: "com") { found: ${field} } }`);
    return errors ? 'error' : data.tld.found;
  };
  const list = (args: string) => prices(`prices${args} { operation period }`);

  test('are those that can be read, of an operation and a period', async () => {
    const registrations = [2, 5].map((period) => ({ operation: 'REGISTRATION', period }));
    const renewals = [{ operation: 'RENEWAL', period: 1 }];

    expect(await list('')).toEqual(expect.arrayContaining([...registrations, ...renewals]));
    expect(await list('')).toHaveLength(3);
    expect(await list('(operation: RENEWAL)')).toEqual(renewals);
    expect(await list('(period: 5)')).toEqual([{ operation: 'REGISTRATION', period: 5 }]);
    expect(await list('(operation: RENEWAL, period: 5)')).toEqual([]);
    expect(await list('(operation: null, period: null)')).toHaveLength(3);
  });

  test.each([
    ['(operation: REGISTRATION)', { period: 2 }],
    ['(operation: REGISTRATION, period: 5)', { period: 5 }],
    ['(operation: REGISTRATION, period: 1)', null],
    ['(operation: RENEWAL)', { period: 1 }],
    ['(operation: RESTORE)', null],
  ])('of one operation are the shortest, unless a period is chosen: %s', async (args, expected) => {
    expect(await prices(`price${args} { period }`)).toEqual(expected);
  });

  test('that cannot be read are an error of one price', async () => {
    expect(await prices('price(operation: TRANSFER) { price { amount } }')).toBe('error');
  });
});

describe('a TLD is found', () => {
  test.each([
    ['com', 'com'],
    ['.COM', 'com'],
    ['рф', 'xn--p1ai'],
    ['unsold', null],
    ['no tld', null],
  ])('by its name in any spelling: %s', async (text, name) => {
    const { data } = await start().send(`{ tld(name: "${text}") { name } }`);

    expect(data.tld?.name ?? null).toBe(name);
  });

  test('by its id', async () => {
    const { send } = start();
    const { data } = await send('{ tld(name: "рф") { id unicodeName } }');

    expect(data.tld).toEqual({ id: globalId('Tld', 'xn--p1ai'), unicodeName: 'рф' });
    expect((await send(`{ node(id: "${data.tld.id}") { ... on Tld { name } } }`)).data).toEqual({
      node: { name: 'xn--p1ai' },
    });
  });
});

test('refresh bypasses the cache', async () => {
  const { send, calls } = start();
  await send('{ tld(name: "com", refresh: true) { name } }');
  await send('{ tlds(refresh: true) { totalCount } }');
  expect(calls).toEqual(['fresh']);

  await send('{ tld(name: "com") { name } tlds { totalCount } }');
  expect(calls).toEqual(['fresh', 'cached']);
});

test('a page has at most 1000 TLDs', async () => {
  const { send } = start();

  expect((await send('{ tlds(first: 1000) { totalCount } }')).errors).toBeUndefined();
  expect((await send('{ tlds(first: 1001) { totalCount } }')).errors).toHaveLength(1);
});
