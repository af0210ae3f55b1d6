import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { aliased, errorFacts, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const byName = 'query ($names: [String!]!) { domainsByName(names: $names) { name state } }';

test.each(['absent.com', 'others-demo.com', 'deep.under.reseller-demo.com'])(
  'a domain that the account does not have is null: %s',
  { tags: ['G5'] },
  async (name) => {
    expect(await read(gateway, `{ domain(name: "${name}") { name } }`)).toEqual({ domain: null });
    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  },
);

describe('a list of names', () => {
  test('keeps its order, length and duplicates, with null for an absent domain', {
    tags: ['G5'],
  }, async () => {
    const names = [
      ...['private-demo.net', 'absent.com', 'Reseller-Demo.com.', 'absent.com'],
      ...['private-demo.net', 'bücher-demo.de'],
    ];
    const found = (name: string) => ({ name, state: 'ACTIVE' });

    expect((await read(gateway, byName, { names })).domainsByName).toEqual([
      ...[found('private-demo.net'), null, found('reseller-demo.com'), null],
      ...[found('private-demo.net'), found('xn--bcher-demo-9db.de')],
    ]);
  });

  test('may have 100 names, or none, for no upstream call', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `absent-${at}.com`);

    expect(await read(gateway, byName, { names: [] })).toEqual({ domainsByName: [] });
    expect(await gateway.upstreamCalls()).toEqual([]);
    expect(await read(gateway, byName, { names })).toEqual({
      domainsByName: names.map(() => null),
    });
  });

  test.each([
    ['names', 'domainsByName', 100, '[String!]!', '{ name }', 'a.com'],
    ['names', 'availabilities', 500, '[String!]!', '{ name }', 'a.com'],
    ['ids', 'nodes', 100, '[ID!]!', '{ id }', 'RG9tYWluOmEuY29t'],
  ])(
    'of more %s of %s than %i is refused before an upstream call',
    async (argument, field, most, type, fields, item) => {
      const { errors } = await gateway.query(
        `query ($items: ${type}) { it: ${field}(${argument}: $items) ${fields} }`,
        { items: Array(most + 1).fill(item) },
      );

      expect(errors.map(errorFacts)).toEqual([
        {
          message: `"${argument}" must have at most ${most} items; it has ${most + 1}. Send several requests.`,
          ...{ path: ['it'], code: 'INVALID_INPUT', retryable: false, executed: 'NO' },
        },
      ]);
      expect(await gateway.upstreamCalls()).toEqual([]);
    },
  );
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

describe('an id', () => {
  const forged = (text: string) => Buffer.from(text).toString('base64url');
  const idsOf = async () => {
    const { domain, tld, reseller } = await read(
      gateway,
      `{
        domain(name: "private-demo.net") { id contacts { technical { id } } }
        tld(name: "рф") { id }
        reseller { id }
      }`,
    );
    await gateway.resetCalls();
    const { technical } = domain.contacts;
    return { Domain: domain.id, Contact: technical.id, Tld: tld.id, Reseller: reseller.id };
  };

  test.each([
    ['Domain', 'name', { name: 'private-demo.net' }, { getdetails: 1 }],
    [
      ...(['Contact', 'role email'] as const),
      { role: 'TECHNICAL', email: 'ada@sample-works.example' },
      { getdetails: 1, getcontacts: 1 },
    ],
    ['Tld', 'name', { name: 'xn--p1ai' }, { tldlist: 1 }],
    ['Reseller', 'name', { name: 'Demo Reseller' }, { resellerdetails: 1 }],
  ] as const)('finds a %s', { tags: ['G2'] }, async (typename, fields, facts, calls) => {
    const { [typename]: id } = await idsOf();

    const { node } = await read(
      gateway,
      `query ($id: ID!) { node(id: $id) { __typename id ... on ${typename} { ${fields} } } }`,
      { id },
    );

    expect(node).toEqual({ __typename: typename, id, ...facts });
    expect(await gateway.countCalls()).toEqual(calls);
  });

  test('is in its position in a list, null for an object that does not exist', {
    tags: ['G2'],
  }, async () => {
    const { Tld, Domain, Reseller } = await idsOf();
    const absent = ['Domain:absent.com', 'Tld:unsold-tld', 'Contact:absent.com/billing'].map(
      forged,
    );
    const ids = [Tld, absent[0], Domain, absent[1], Reseller, Domain, absent[2]];

    const { nodes } = await read(gateway, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids,
    });

    expect(nodes).toEqual(ids.map((id) => (absent.includes(id) ? null : { id })));
  });

  test.each([
    ...['Domain:Reseller-Demo.com', 'Domain:not a name', 'Domain:', 'Contact:private-demo.net'],
    ...['Contact:private-demo.net/unknown', 'Contact:Private-Demo.net/billing', 'Reseller:other'],
    ...['Cart:1', 'Constructor:x'],
  ])('that the gateway never issues is null without an upstream call: %s', async (text) => {
    const document = 'query ($id: ID!) { node(id: $id) { id } }';

    expect(await read(gateway, document, { id: forged(text) })).toEqual({ node: null });
    expect(await gateway.upstreamCalls()).toEqual([]);
  });

  test.each(['', 'zzz', 'Domain:private-demo.net', `${forged('Domain:a.com')}=`, '☃'])(
    'that is malformed is null in its position without an upstream call: %j',
    { tags: ['G2'] },
    async (id) => {
      const good = forged('Domain:private-demo.net');
      const document =
        'query ($id: ID!, $good: ID!) { node(id: $id) { id } nodes(ids: [$id, $good]) { id } }';

      expect(await read(gateway, document, { id, good })).toEqual({
        ...{ node: null, nodes: [null, { id: good }] },
      });
      expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
    },
  );
});
