import { afterAll, beforeEach, expect, test } from 'vitest';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { aliased, portfolioNames, read } from './reads.ts';

const gateway = await startTestGateway({
  sandboxTlds: everyTld,
  sandboxDomains: 150,
  // The cost of 100 names assumes that the list contains none of them.
  env: { MAX_UPSTREAM_CALLS: '101' },
});
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

/** Every field of a type without a selection, by introspection, so that new fields are included. */
async function leavesOf(typename: string): Promise<string> {
  const { __type } = await read(
    gateway,
    `query ($name: String!) {
      __type(name: $name) { fields { name type { kind ofType { kind ofType { kind ofType { kind } } } } } }
    }`,
    { name: typename },
  );
  interface Type {
    readonly kind: string;
    readonly ofType?: Type | null;
  }
  const innermost = (type: Type): string => (type.ofType ? innermost(type.ofType) : type.kind);
  return __type.fields
    .filter(({ type }: { type: Type }) => ['SCALAR', 'ENUM'].includes(innermost(type)))
    .map(({ name }: { name: string }) => name)
    .join(' ');
}

test('a page of 50 domains with all fields is one getdomainlist', { tags: ['G25'] }, async () => {
  const leaves = await leavesOf('Domain');
  const contact = '{ id role upstreamId }';
  const document = `{ domains(first: 50) { totalCount complete upstreamCount nodes {
    ${leaves} childNameServers { name addresses } additional { key value }
    contacts { registrant ${contact} administrative ${contact} technical ${contact} billing ${contact} }
  } } }`;

  const { domains } = await read(gateway, document);

  expect(leaves).toContain('authCode');
  expect(domains.nodes).toHaveLength(50);
  expect(domains.nodes[0].contacts.billing.role).toBe('BILLING');
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('a domain that a document requests in five ways and three spellings is one getdetails', {
  tags: ['G1', 'G24'],
}, async () => {
  const name = 'reseller-demo.com';
  const { domain: known } = await read(gateway, `{ domain(name: "${name}") { id } }`);
  await gateway.resetCalls();

  const response = await read(
    gateway,
    `query ($id: ID!) {
      domain(name: "${name}") { name }
      again: domain(name: " RESELLER-Demo.com. ") { name }
      domainsByName(names: ["${name}", "Reseller-demo.com"]) { name }
      node(id: $id) { ... on Domain { name } }
      nodes(ids: [$id, $id]) { ... on Domain { name } }
    }`,
    { id: known.id },
  );

  expect(response).toEqual({
    domain: { name },
    again: { name },
    domainsByName: [{ name }, { name }],
    node: { name },
    nodes: [{ name }, { name }],
  });
  expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
});

test('100 names of a portfolio that fits one list cost one getdomainlist, absent names included', {
  tags: ['G24'],
}, async () => {
  const names = [
    ...portfolioNames(90),
    ...Array.from({ length: 10 }, (_, at) => `absent${at}.com`),
  ];

  const { domainsByName } = await read(
    gateway,
    'query ($names: [DomainName!]!) { domainsByName(names: $names) { name } }',
    { names },
  );

  expect(domainsByName).toEqual(names.map((name) => (name.startsWith('absent') ? null : { name })));
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('a few names cost one getdetails each', async () => {
  const names = portfolioNames(3);

  await read(gateway, `{ ${aliased('domain', names, '{ name }')} }`);

  expect(await gateway.countCalls()).toEqual({ getdetails: 3 });
});

test('a domain beside a page comes from the list of the page', async () => {
  const response = await read(
    gateway,
    '{ domains(first: 1) { totalCount } domain(name: "reseller-demo.com") { state } }',
  );

  expect(response).toEqual({ domains: { totalCount: 150 }, domain: { state: 'ACTIVE' } });
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('several pages, filters and orders in one query are one getdomainlist', {
  tags: ['G24'],
}, async () => {
  await read(
    gateway,
    `{
      a: domains(first: 5) { nodes { name } }
      b: domains(last: 5, orderBy: { field: EXPIRES_AT, direction: DESC }) { nodes { name } }
      c: domains(filter: { states: [ACTIVE] }) { totalCount }
    }`,
  );

  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('the prices of the TLDs of 100 domains are one tldlist', { tags: ['G24'] }, async () => {
  const { domains, tlds, tld } = await read(
    gateway,
    `{
      domains(first: 100) { nodes { tld { name price(operation: RENEWAL) { price { amount } } } } }
      tlds(first: 1) { totalCount }
      tld(name: "com") { name }
    }`,
  );

  expect(domains.nodes.filter((node: { tld: unknown }) => node.tld !== null)).toHaveLength(100);
  expect(tlds.totalCount).toBeGreaterThan(800);
  expect(tld).toEqual({ name: 'com' });
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, tldlist: 1 });
});

test('two reads of the reseller are one call, and the journal costs none', async () => {
  await read(gateway, '{ reseller { name } again: reseller { balance { symbol } } }');
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });
  await gateway.resetCalls();

  expect(await read(gateway, '{ purchases { totalCount } }')).toEqual({
    purchases: { totalCount: 0 },
  });
  expect(await gateway.upstreamCalls()).toEqual([]);
});
