import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { arm } from '../../../../test/graph/reads/reads.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { notRenewed } from '../../../kernel/domain-state.ts';

const folder = await newFolder('customers');
const file = join(folder, 'prices.json');
await writeFile(file, JSON.stringify({ rules: [{ margin: '100' }] }));
const gateway = await startTestGateway({
  sandboxDomains: 60,
  env: {
    PRICES_FILE: file,
    API_KEYS: apiKeysOf(
      {
        owner: allAccessScopes,
        staff: ['domains:read', 'customers:write', 'ops'],
        panel: ['domains:read'],
        acme: ['domains:read', 'domains:spend'],
      },
      { acme: 'acme' },
    ),
  },
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

async function read(document: string, key = 'owner', variables: object = {}) {
  const { data, errors } = await gateway.query(document, variables, by(key));
  expect(errors).toBeUndefined();
  return data;
}

const { domains } = await read(
  '{ domains(first: 60) { nodes { name tld { price(operation: RENEWAL) { price { amount } } } } } }',
);
const names: string[] = domains.nodes.map(({ name }: { name: string }) => name);
const assign = (some: readonly string[], customer: string | null) =>
  read(
    `mutation ($input: SetDomainCustomerInput!) { setDomainCustomer(input: $input) { errors { message } } }`,
    'owner',
    { input: { names: some, customer } },
  );
await assign(names.slice(0, 30), 'acme');
await assign(names.slice(30, 40), 'bolt');
await assign(names.slice(40, 41), 'former');
await assign(names.slice(40, 41), null);

const register = (domain: string, customer: string) =>
  read(
    `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { state price { amount currency } cost { amount currency } } errors { message } } }`,
    'owner',
    { input: order({ domain, customer }) },
  );

const sum = 'price { amount currency } cost { amount currency }';
const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a page of customers has the domains, renewals and purchases of each, for two calls', async () => {
  await register('cedar-harbor.com', 'acme');
  await register('maple-harbor.com', 'acme');
  await register('cedar-harbor.net', 'bolt');
  await gateway.resetCalls();
  const { customers } = await read(
    `{ customers { totalCount nodes { name domainCount spent { ${sum} }
      renewalsDue(days: 3650) { count coverage { complete } totals { ${sum} } } } } }`,
  );
  const calls = await gateway.countCalls();

  expect(calls).toEqual({ getdomainlist: 1, tldlist: 1 });
  const { nodes, totalCount } = customers;
  expect(totalCount).toBe(3);
  expect(
    nodes.map(({ name, domainCount }: { name: string; domainCount: number }) => [
      name,
      domainCount,
    ]),
  ).toEqual([
    ['acme', 32],
    ['bolt', 11],
    ['former', 0],
  ]);
  expect(nodes[0].spent).toEqual([{ price: usd('45.1600'), cost: usd('22.5800') }]);
  expect(nodes[2]).toMatchObject({ spent: [], renewalsDue: { count: 0, totals: [] } });
  const now = Date.now();
  for (const { name, renewalsDue } of nodes) {
    const { domains: own } = await read(
      `{ domains(first: 100, filter: { customer: "${name}" }) { nodes { state expiresAt } } }`,
    );
    const due = own.nodes.filter(
      ({ state, expiresAt }: { state: string; expiresAt: string }) =>
        !notRenewed.has(state) && Date.parse(expiresAt) >= now,
    );
    expect(renewalsDue.count).toBe(due.length);
  }
  expect(nodes[0].renewalsDue.count).toBeGreaterThan(20);
});

test('a caller sees the customers, and the sums of their purchases, as far as it may', async () => {
  const document = `{ customers { nodes { name spent { ${sum} } } } domainStats { byCustomer { value count } } }`;
  const panel = await read(document, 'panel');
  const staff = await read(document, 'staff');
  const acme = await read(document, 'acme');

  expect(panel.customers.nodes).toEqual(
    ['acme', 'bolt', 'former'].map((name) => ({ name, spent: null })),
  );
  expect(staff.customers.nodes[0]).toEqual({
    name: 'acme',
    spent: [{ price: usd('45.1600'), cost: null }],
  });
  expect(acme).toEqual({
    customers: { nodes: [staff.customers.nodes[0]] },
    domainStats: { byCustomer: [{ value: 'acme', count: 32 }] },
  });
});

test('domains are counted by customer, within the filter', async () => {
  const { all, some, none } = await read(
    `{ all: domainStats { byCustomer { value count } }
      some: domainStats(filter: { contains: "harbor" }) { byCustomer(first: 1) { value count } }
      none: domainStats(filter: { contains: "not-registered" }) { byCustomer { value } } }`,
  );

  expect(all.byCustomer).toEqual([
    { value: 'acme', count: 32 },
    { value: 'bolt', count: 11 },
  ]);
  expect(some.byCustomer).toEqual([{ value: 'acme', count: 2 }]);
  expect(none.byCustomer).toEqual([]);
});

test('pages follow each other by name', async () => {
  const page = (after: string | null) =>
    read(
      `query ($after: String) { customers(first: 2, after: $after) {
        nodes { name } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
      'owner',
      { after },
    );
  const first = (await page(null)).customers;
  const second = (await page(first.pageInfo.endCursor)).customers;

  expect([first, second].map(({ nodes }) => nodes)).toEqual([
    [{ name: 'acme' }, { name: 'bolt' }],
    [{ name: 'former' }],
  ]);
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
});

test('without the list of domains the customers and the sums of their purchases are there', async () => {
  await arm(gateway, 'code', 'getdomainlist', { code: '300' });
  const { data, errors } = await gateway.query(
    '{ customers(first: 1) { nodes { name domainCount spent { price { amount } } } } }',
    {},
    by('owner'),
  );
  await gateway.admin('DELETE', '/faults');

  expect(data.customers.nodes).toEqual([
    { name: 'acme', domainCount: null, spent: [{ price: { amount: '45.1600' } }] },
  ]);
  expect(errors).toMatchObject([{ path: ['customers', 'nodes', 0, 'domainCount'] }]);
});
