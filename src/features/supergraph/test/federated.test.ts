import { parse, visit } from 'graphql';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { portfolioNames } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { schema } from '../../../app/graph.ts';
import { printSubgraph } from '../sdl.ts';
import { expectReminders, listed, pageWithReminders } from './expected.ts';
import { federatedNeighbour } from './neighbour.ts';
import { bought, buy } from './purchase.ts';
import { compose, routerOver } from './router.ts';

const gateway = await startTestGateway({ env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const neighbour = federatedNeighbour();
const subgraph = printSubgraph(schema);
const supergraph = compose(subgraph, neighbour.sdl);
const sendQuery = routerOver(supergraph, gateway, neighbour.schema);

const few = ['private-demo.net', 'not-registered.com', 'reseller-demo.com', 'private-demo.net'];

/** Those of GraphQL before `@oneOf`: a composer need not know more. */
const knownToAll = ['skip', 'include', 'deprecated', 'specifiedBy'];

test('the subgraph defines or imports each directive that it uses', () => {
  const used = new Set<string>();
  const known = [
    ...knownToAll,
    'link',
    ...(/import: \[(.*)\]/.exec(subgraph)?.[1]?.match(/\w+/g) ?? []),
  ];
  visit(parse(subgraph), {
    Directive: ({ name }) => void used.add(name.value),
    DirectiveDefinition: ({ name }) => void known.push(name.value),
  });

  expect(used).toContain('oneOf');
  expect([...used].filter((name) => !known.includes(name))).toEqual([]);
});

test('domains that the neighbour lists are completed in its order, null for a domain of no account', {
  tags: ['R13'],
}, async () => {
  const { data, errors } = await sendQuery(
    'query ($names: [String!]!) { busiest(names: $names) { name visits expiresAt tld { name } } }',
    { names: few },
  );

  expect(errors).toBeUndefined();
  expect(data.busiest).toEqual(
    listed(few).map((one) => ({
      ...one,
      tld: one.expiresAt === null ? null : { name: one.name.split('.')[1] },
    })),
  );
  expect(await gateway.countCalls()).toEqual({ getdetails: 3, tldlist: 1 });
});

test('an unknown domain behind a non-null field nulls its own item only', async () => {
  const { data, errors } = await sendQuery(
    'query ($names: [String!]!) { busiest(names: $names) { name state } }',
    { names: few },
  );

  expect(data.busiest.map((one: object | null) => one && Object.values(one)[0])).toEqual([
    'private-demo.net',
    null,
    'reseller-demo.com',
    'private-demo.net',
  ]);
  expect(errors.map(({ path }: { path: unknown }) => path)).toEqual([['busiest', 1, 'state']]);
});

test('many domains that the neighbour lists cost one list, in any order', async () => {
  const names = [...portfolioNames(60), ...portfolioNames(60), 'not-registered.com'].reverse();

  const { data, errors } = await sendQuery(
    'query ($names: [String!]!) { busiest(names: $names) { name remainingDays } }',
    { names },
  );

  expect(errors).toBeUndefined();
  expect(data.busiest.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('a field that the neighbour computes from one of our fields costs only the call of the page', async () => {
  const { data, errors } = await sendQuery(pageWithReminders);

  expect(errors).toBeUndefined();
  expectReminders(data);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('a field that the neighbour computes for domains of its own list costs the calls of our field', async () => {
  const { data, errors } = await sendQuery(
    'query ($names: [String!]!) { busiest(names: $names) { name reminder } }',
    { names: few },
  );

  expect(errors).toBeUndefined();
  expect(data.busiest[0].reminder).toMatch(/^private-demo.net ends on/);
  expect(data.busiest[1].reminder).toBeNull();
  expect(await gateway.countCalls()).toEqual({ getdetails: 3 });
});

test('a mutation keeps its errors as data through the router', async () => {
  const { data, errors } = await sendQuery(
    'mutation { setNameServers(input: { domain: "not-registered.com", nameServers: ["ns1.a.com", "ns2.a.com"] }) { errors { __typename code } } }',
  );

  expect(errors).toBeUndefined();
  expect(data.setNameServers.errors).toEqual([{ __typename: 'PlainError', code: 'NOT_FOUND' }]);
});

test('the supergraph has no node, nodes or subgraph fields', async () => {
  const { data } = await sendQuery('{ __type(name: "Query") { fields { name } } }');
  const fields = data.__type.fields.map(({ name }: { name: string }) => name);

  expect(fields).toContain('domainsByName');
  expect(fields).toContain('busiest');
  expect(fields.filter((name: string) => /^(nodes?$|_)/.test(name))).toEqual([]);
});

test('every field with a secret has a tag, so that a contract can exclude it', () => {
  const tagged = [...subgraph.matchAll(/^ {2}(\w+):.* @tag\(name: "(\w+)"\)/gm)];
  const outputs = subgraph.replace(/^input [^}]*^}/gm, '');
  const secrets = [...outputs.matchAll(/^ {2}(authCode|secret|secretPath): String(?!!)/gm)];

  expect(tagged.map(([, field, tag]) => [field, tag])).toEqual(
    secrets.map(([, field]) => [field, 'secret']),
  );
  expect(secrets.length).toBeGreaterThan(3);
  expect(supergraph).toMatch(/authCode: String .*@tag\(name: "secret"\)/);
});

test('a purchase is sent unchanged, and once', async () => {
  const { data, errors } = await sendQuery(buy('routed-maple.com'));

  expect(errors).toBeUndefined();
  expect(data).toEqual(bought('routed-maple.com'));
  expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
});
