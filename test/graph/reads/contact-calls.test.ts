import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, portfolioNames, read } from './reads.ts';

const gateway = await startTestGateway({
  sandboxDomains: 60,
  env: { UPSTREAM_CONCURRENCY: '16' },
});
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const ids = '{ id role upstreamId }';
const allContacts = `{ domains(first: 50) { nodes { name contacts {
  registrant { firstName } administrative { lastName } technical { email } billing { company }
} } } }`;

test('the contact ids of 50 domains cost no getcontacts', { tags: ['G25'] }, async () => {
  const { domains } = await read(
    gateway,
    `{ domains(first: 50) { nodes { contacts { registrant ${ids} billing ${ids} } } } }`,
  );

  expect(domains.nodes).toHaveLength(50);
  expect(domains.nodes[0].contacts.registrant.upstreamId).toBeGreaterThan(70_000);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('the names of all four contacts of 50 domains cost one getcontacts per domain', async () => {
  const { domains } = await read(gateway, allContacts);

  for (const { contacts } of domains.nodes) {
    expect(Object.keys(contacts)).toHaveLength(4);
    expect(contacts.registrant.firstName).not.toBeNull();
    expect(contacts.technical.email).toMatch(/@/);
  }
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getcontacts: 50 });
  const requestedNames = (await gateway.upstreamCalls())
    .map(({ domain }) => domain)
    .filter(Boolean);
  expect(requestedNames.sort()).toEqual(domains.nodes.map(({ name }: { name: string }) => name));
});

test('at most UPSTREAM_CONCURRENCY getcontacts are in flight', async () => {
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
