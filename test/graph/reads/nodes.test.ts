import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());

const ids = new Map<string, string>();
const idOf = (typename: string) => ids.get(typename) ?? '';
const forged = (text: string) => Buffer.from(text).toString('base64url');

beforeAll(async () => {
  const { domain, tld, reseller } = await read(
    gateway,
    `{
      domain(name: "private-demo.net") { id contacts { technical { id } } }
      tld(name: "рф") { id }
      reseller { id }
    }`,
  );
  ids.set('Domain', domain.id);
  ids.set('Contact', domain.contacts.technical.id);
  ids.set('Tld', tld.id);
  ids.set('Reseller', reseller.id);
});
beforeEach(() => gateway.resetCalls());

test.each([
  ['Domain', 'name', { name: 'private-demo.net' }, { getdetails: 1 }],
  [
    'Contact',
    'role email',
    { role: 'TECHNICAL', email: 'ada@sample-works.example' },
    { getdetails: 1, getcontacts: 1 },
  ],
  ['Tld', 'name', { name: 'xn--p1ai' }, { tldlist: 1 }],
  ['Reseller', 'name', { name: 'Demo Reseller' }, { resellerdetails: 1 }],
])('a %s is found by its id', { tags: ['G2'] }, async (typename, fields, facts, calls) => {
  const { node } = await read(
    gateway,
    `query ($id: ID!) { node(id: $id) { __typename id ... on ${typename} { ${fields} } } }`,
    { id: idOf(typename) },
  );

  expect(node).toEqual({ __typename: typename, id: idOf(typename), ...facts });
  expect(await gateway.countCalls()).toEqual(calls);
});

test('nodes are in the order of their ids, null for an object that does not exist', {
  tags: ['G2'],
}, async () => {
  const requestedIds = [
    idOf('Tld'),
    forged('Domain:absent.com'),
    idOf('Domain'),
    forged('Tld:unsold-tld'),
    idOf('Reseller'),
    idOf('Domain'),
    forged('Contact:absent.com/billing'),
  ];

  const { nodes } = await read(gateway, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: requestedIds,
  });

  expect(nodes).toEqual(
    requestedIds.map((id, at) => ((at % 2 === 0 && at < 6) || at === 5 ? { id } : null)),
  );
});

test.each([
  'Domain:Reseller-Demo.com',
  'Domain:not a name',
  'Domain:',
  'Contact:private-demo.net/unknown',
  'Contact:private-demo.net',
  'Contact:Private-Demo.net/billing',
  'Reseller:other',
  'Cart:1',
  'Constructor:x',
])('an id that the gateway never issues is null without an upstream call: %s', async (text) => {
  const { node } = await read(gateway, 'query ($id: ID!) { node(id: $id) { id } }', {
    id: forged(text),
  });

  expect(node).toBeNull();
  expect(await gateway.upstreamCalls()).toEqual([]);
});

test.each(['', 'zzz', 'Domain:private-demo.net', `${forged('Domain:a.com')}=`, '☃'])(
  'a malformed id is null in its position without an upstream call: %j',
  { tags: ['G2'] },
  async (id) => {
    const document =
      'query ($id: ID!, $good: ID!) { node(id: $id) { id } nodes(ids: [$id, $good]) { id } }';
    const good = idOf('Domain');

    const { data, errors } = await gateway.query(document, { id, good });

    expect(errors).toBeUndefined();
    expect(data).toEqual({ node: null, nodes: [null, { id: good }] });
    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  },
);
