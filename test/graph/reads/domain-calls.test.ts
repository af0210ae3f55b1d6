import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { aliased, arm, portfolioNames, read } from './reads.ts';

const gateway = await startTestGateway({
  sandboxTlds: everyTld,
  sandboxDomains: 150,
  // The cost of 100 names assumes that the list contains none of them.
  env: { MAX_UPSTREAM_CALLS: '101', UPSTREAM_CONCURRENCY: '16' },
});
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

/** Every field of a type without a selection, by introspection, so that new fields are included. */
async function leavesOf(typename: string): Promise<string> {
  interface Type {
    readonly kind: string;
    readonly ofType?: Type | null;
  }
  const { __type } = await read(
    gateway,
    `query ($name: String!) {
      __type(name: $name) { fields { name type { kind ofType { kind ofType { kind ofType { kind } } } } } }
    }`,
    { name: typename },
  );
  const innermost = (type: Type): string => (type.ofType ? innermost(type.ofType) : type.kind);
  return __type.fields
    .filter(({ type }: { type: Type }) => ['SCALAR', 'ENUM'].includes(innermost(type)))
    .map(({ name }: { name: string }) => name)
    .join(' ');
}

describe('one getdomainlist serves', () => {
  afterEach(async () => expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 }));

  test('a page of 50 domains with all fields', { tags: ['G25'] }, async () => {
    const leaves = await leavesOf('Domain');
    const contact = '{ id role upstreamId }';

    const { domains } = await read(
      gateway,
      `{ domains(first: 50) { totalCount coverage { complete listed } nodes {
        ${leaves} childNameServers { name addresses } additional { key value }
        contacts { registrant ${contact} administrative ${contact} technical ${contact} billing ${contact} }
      } } }`,
    );

    expect(leaves).toContain('authCode');
    expect(domains.nodes).toHaveLength(50);
    const { registrant, billing } = domains.nodes[0].contacts;
    expect(registrant.upstreamId).toBeGreaterThan(70_000);
    expect(billing.role).toBe('BILLING');
  });

  test('100 names of a portfolio that fits one list, absent names included', {
    tags: ['G24'],
  }, async () => {
    const own = portfolioNames(90);
    const absent = Array.from({ length: 10 }, (_, at) => `absent${at}.com`);

    const { domainsByName } = await read(
      gateway,
      'query ($names: [String!]!) { domainsByName(names: $names) { name } }',
      { names: [...own, ...absent] },
    );

    expect(domainsByName).toEqual([...own.map((name) => ({ name })), ...absent.map(() => null)]);
  });

  test('a domain beside a page', async () => {
    expect(
      await read(
        gateway,
        '{ domains(first: 1) { totalCount } domain(name: "reseller-demo.com") { state } }',
      ),
    ).toEqual({ domains: { totalCount: 150 }, domain: { state: 'ACTIVE' } });
  });

  test('several pages, filters and orders in one query', { tags: ['G24'] }, async () => {
    await read(
      gateway,
      `{
        a: domains(first: 5) { nodes { name } }
        b: domains(last: 5, orderBy: { field: EXPIRES_AT, direction: DESC }) { nodes { name } }
        c: domains(filter: { states: [ACTIVE] }) { totalCount }
      }`,
    );
  });
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

  const [one, two] = [{ name }, [{ name }, { name }]];
  expect(response).toEqual({ domain: one, again: one, domainsByName: two, node: one, nodes: two });
  expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
});

test('a few names cost one getdetails each', async () => {
  await read(gateway, `{ ${aliased('domain', portfolioNames(3), '{ name }')} }`);

  expect(await gateway.countCalls()).toEqual({ getdetails: 3 });
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
  expect(
    await read(
      gateway,
      '{ reseller { name } again: reseller { balance { symbol } } purchases { totalCount } }',
    ),
  ).toMatchObject({ reseller: { name: 'Demo Reseller' }, purchases: { totalCount: 0 } });
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });
});

describe('the contacts of 50 domains', () => {
  const allContacts = `{ domains(first: 50) { nodes { name contacts {
    registrant { firstName } administrative { lastName } technical { email } billing { company }
  } } } }`;

  test('cost one getcontacts per domain for all four roles', async () => {
    const { domains } = await read(gateway, allContacts);

    for (const { contacts } of domains.nodes) {
      expect(contacts).toEqual({
        registrant: { firstName: expect.any(String) },
        administrative: expect.anything(),
        technical: { email: expect.stringContaining('@') },
        billing: expect.anything(),
      });
    }
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getcontacts: 50 });
    const requested = (await gateway.upstreamCalls()).flatMap(({ domain = [] }) => domain);
    expect(requested.toSorted()).toEqual(domains.nodes.map(({ name }: { name: string }) => name));
  });

  test('are at most UPSTREAM_CONCURRENCY calls in flight', async () => {
    await arm(gateway, 'hold-before', 'getcontacts', { times: 50 });
    const held = async () => ((await gateway.admin('GET', '/held')) as { held: number }).held;

    const response = gateway.query(allContacts);
    // Two of the sixteen are reserved for purchases.
    for (let remaining = 50; remaining > 0; remaining -= 14) {
      await expect.poll(held).toBe(Math.min(remaining, 14));
      await gateway.admin('POST', '/release', {});
    }

    expect((await response).errors).toBeUndefined();
  });
});

test('a contact that is read by its id shares the upstream calls of its domain', async () => {
  const [name] = portfolioNames(1);
  const own = await read(
    gateway,
    `{ domain(name: "${name}") { contacts { registrant { id } billing { id } } } }`,
  );
  const { registrant, billing } = own.domain.contacts;
  await gateway.resetCalls();

  const { nodes, domain } = await read(
    gateway,
    `query ($ids: [ID!]!) {
      nodes(ids: $ids) { id ... on Contact { role firstName } }
      domain(name: "${name}") { contacts { technical { firstName } } }
    }`,
    { ids: [billing.id, registrant.id] },
  );

  expect(nodes).toEqual([
    { id: billing.id, role: 'BILLING', firstName: 'Ben' },
    { id: registrant.id, role: 'REGISTRANT', firstName: 'Ada' },
  ]);
  expect(domain.contacts.technical).toEqual({ firstName: 'Ada' });
  expect(await gateway.countCalls()).toEqual({ getdetails: 1, getcontacts: 1 });
});

describe('extensions.upstream', () => {
  test('counts and lists the calls that the sandbox received', async () => {
    const { extensions } = await gateway.query(`{
      domains(first: 10) { nodes { name contacts { registrant { email } } tld { name } } }
      reseller { name }
      availabilities(names: ["free-a.com", "free-b.com"]) { state }
    }`);

    const counts = await gateway.countCalls();
    expect(counts).toEqual({
      ...{ getdomainlist: 1, getcontacts: 10, tldlist: 1, resellerdetails: 1 },
      bulkcheckavailability: 1,
    });
    expect(extensions.upstream).toMatchObject({ byAction: counts, calls: 14 });
    expect(extensions.upstream.list).toHaveLength(14);
  });

  test('lists each attempt of a retried call', async () => {
    await arm(gateway, 'gateway', 'resellerdetails', { times: 1 });

    const { data, extensions } = await gateway.query('{ reseller { name } }');

    expect(data.reseller).toEqual({ name: 'Demo Reseller' });
    expect(extensions.upstream.list).toMatchObject([
      { action: 'resellerdetails', attempt: 1, outcome: 'UPSTREAM_UNAVAILABLE' },
      { action: 'resellerdetails', attempt: 2, outcome: 'OK' },
    ]);
    expect(await gateway.countCalls()).toEqual({ resellerdetails: 2 });
  });

  test('contains no calls of another request', async () => {
    const responses = await Promise.all([
      gateway.query('{ reseller { name } }'),
      gateway.query('{ domain(name: "reseller-demo.com") { name } }'),
    ]);

    expect(responses.map(({ extensions }) => extensions.upstream.byAction)).toEqual([
      { resellerdetails: 1 },
      { getdetails: 1 },
    ]);
  });

  test('is absent outside development', async () => {
    const quiet = await startTestGateway({ sandboxDomains: 1, env: { DEVELOPMENT: 'false' } });

    const response = await quiet.query('{ reseller { name } }');
    await quiet.close();

    expect(response.data.reseller.name).toBe('Demo Reseller');
    expect(Object.keys(response.extensions)).toEqual(['cost']);
  });
});
