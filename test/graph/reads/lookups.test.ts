import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { aliased, errorFacts, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const byName = 'query ($names: [DomainName!]!) { domainsByName(names: $names) { name state } }';

test.each(['absent.com', 'others-demo.com', 'deep.under.reseller-demo.com'])(
  'a domain that the account does not have is null: %s',
  { tags: ['G5'] },
  async (name) => {
    expect(await read(gateway, `{ domain(name: "${name}") { name } }`)).toEqual({ domain: null });
    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  },
);

test('a list keeps its order, length and duplicates, with null for an absent domain', {
  tags: ['G5'],
}, async () => {
  const names = [
    'private-demo.net',
    'absent.com',
    'Reseller-Demo.com.',
    'absent.com',
    'private-demo.net',
    'bücher-demo.de',
  ];

  const { domainsByName } = await read(gateway, byName, { names });

  const own = (name: string) => ({ name, state: 'ACTIVE' });
  expect(domainsByName).toEqual([
    own('private-demo.net'),
    null,
    own('reseller-demo.com'),
    null,
    own('private-demo.net'),
    own('xn--bcher-demo-9db.de'),
  ]);
});

test('an empty list causes no upstream call', async () => {
  expect(await read(gateway, byName, { names: [] })).toEqual({ domainsByName: [] });
  expect(await gateway.upstreamCalls()).toEqual([]);
});

test.each([
  ['names', 'domainsByName', '[DomainName!]!', '{ name }', 'a.com'],
  ['names', 'availabilities', '[String!]!', '{ name }', 'a.com'],
  ['ids', 'nodes', '[ID!]!', '{ id }', 'RG9tYWluOmEuY29t'],
])(
  'more than 100 %s of %s are refused before an upstream call',
  async (argument, field, type, fields, item) => {
    const items = Array.from({ length: 101 }, () => item);

    const { errors } = await gateway.query(
      `query ($items: ${type}) { it: ${field}(${argument}: $items) ${fields} }`,
      { items },
    );

    expect(errors.map(errorFacts)).toEqual([
      {
        path: ['it'],
        message: `"${argument}" must have at most 100 items; it has 101. Send several requests.`,
        code: 'BAD_USER_INPUT',
        retryable: false,
        executed: 'NO',
      },
    ]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  },
);

test('100 names are accepted', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `absent-${at}.com`);

  const { domainsByName } = await read(gateway, byName, { names });

  expect(domainsByName).toEqual(names.map(() => null));
});

test('a TLD is found in any spelling and null when it is not sold, for one call', async () => {
  const spellings = ['com', '.COM', ' Co.Uk ', 'рф', 'XN--P1AI', 'not-sold', 'no tld at all', ''];

  const response = await read(gateway, `{ ${aliased('tld', spellings, '{ name unicodeName }')} }`);

  const com = { name: 'com', unicodeName: 'com' };
  const rf = { name: 'xn--p1ai', unicodeName: 'рф' };
  const uk = { name: 'co.uk', unicodeName: 'co.uk' };
  expect(Object.values(response)).toEqual([com, com, uk, rf, rf, null, null, null]);
  expect(await gateway.countCalls()).toEqual({ tldlist: 1 });
});

test('the TLD of a name is the longest one that matches', async () => {
  const { uk, tr } = await read(
    gateway,
    `{
      uk: domain(name: "country-name-demo.co.uk") { tld { name } }
      tr: availability(name: "not-registered.com.tr") { tld { name } }
    }`,
  );

  expect([uk.tld.name, tr.tld.name]).toEqual(['co.uk', 'com.tr']);
});
