import { stitchSchemas } from '@graphql-tools/stitch';
import { stitchingDirectives } from '@graphql-tools/stitching-directives';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { portfolioNames, read } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { schema } from '../../../app/graph.ts';
import { globalId } from '../../../kernel/ids.ts';
import { printForStitching } from '../sdl.ts';
import { listed } from './expected.ts';
import { inProcess, overHttp, stitchedNeighbour, visitsOf } from './neighbour.ts';
import { bought, buy } from './purchase.ts';
import { queriesTo } from './router.ts';

const gateway = await startTestGateway({ env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const { _sdl: sdl } = await read(gateway, '{ _sdl }');

/** Stitches both graphs by their SDL. */
function stitch(
  ours: string,
  neighbour: { sdl: string; schema: GraphQLSchema },
  executor = overHttp(gateway),
): GraphQLSchema {
  const { stitchingDirectivesTransformer } = stitchingDirectives();
  return stitchSchemas({
    subschemaConfigTransforms: [stitchingDirectivesTransformer],
    subschemas: [
      { schema: buildSchema(ours), executor: executor as never, batch: true },
      { schema: buildSchema(neighbour.sdl), executor: inProcess(neighbour.schema) as never },
    ],
  });
}

const sendQuery = queriesTo(stitch(sdl, stitchedNeighbour()));

test('_sdl is the printed SDL', () => {
  expect(sdl).toBe(printForStitching(schema));
});

test('the strict validator of the stitching directives accepts the SDL', () => {
  const { stitchingDirectivesValidator } = stitchingDirectives();

  expect(() => stitchingDirectivesValidator(buildSchema(sdl))).not.toThrow();
});

test('domains that the neighbour lists are completed by one domainsByName in its order, null for unknown ones', {
  tags: ['R13'],
}, async () => {
  const names = [...portfolioNames(60), 'not-registered.com', ...portfolioNames(20)];

  const { data, errors } = await sendQuery(
    'query ($names: [String!]!) { busiest(names: $names) { name visits expiresAt } }',
    { names },
  );

  expect(errors).toBeUndefined();
  expect(data.busiest).toEqual(listed(names));
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('the neighbour completes a page of ours at no further call', async () => {
  const { data, errors } = await sendQuery(
    '{ domains(first: 40) { nodes { name state visits } } }',
  );

  expect(errors).toBeUndefined();
  expect(data.domains.nodes).toHaveLength(40);
  for (const { name, visits } of data.domains.nodes) expect(visits).toBe(visitsOf(name));
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('fields of both graphs below a domain are requested once', async () => {
  const { data, errors } = await sendQuery(
    'query ($names: [String!]!) { busiest(names: $names) { name tld { name maxPeriod } } }',
    { names: ['private-demo.net', 'reseller-demo.com', 'private-demo.net'] },
  );

  expect(errors).toBeUndefined();
  expect(data.busiest.map(({ tld }: { tld: { name: string } }) => tld.name)).toEqual([
    'net',
    'com',
    'net',
  ]);
  expect(await gateway.countCalls()).toEqual({ getdetails: 2, tldlist: 1 });
});

test('an id of our graph is resolved through the stitching gateway', async () => {
  const id = globalId('Contact', 'private-demo.net/billing');

  const { data, errors } = await sendQuery(
    `{ nodes(ids: ["${id}"]) { __typename id ... on Contact { role } } }`,
  );

  expect(errors).toBeUndefined();
  expect(data.nodes).toEqual([{ __typename: 'Contact', id, role: 'BILLING' }]);
});

test('a TLD, a contact and the account that the neighbour refers to cost one call of each kind', async () => {
  const favourites = {
    tlds: [{ name: 'com' }, { name: 'unsold-tld' }, { name: 'xn--p1ai' }],
    contact: { id: globalId('Contact', 'private-demo.net/billing') },
    account: { id: globalId('Reseller', 'self') },
  };
  const typeDefs = /* GraphQL */ `
    type Tld { name: String! }
    type Contact { id: ID! }
    type Reseller { id: ID! }
    type Favourites { tlds: [Tld]! contact: Contact account: Reseller }
    type Query { favourites: Favourites! }
  `;
  const resolvers = { Query: { favourites: () => favourites } };
  const queryBoth = queriesTo(
    stitch(sdl, { sdl: typeDefs, schema: createSchema({ typeDefs, resolvers }) }),
  );

  const { data, errors } = await queryBoth(
    '{ favourites { tlds { name upstreamId } contact { upstreamId } account { upstreamId } } }',
  );

  expect(errors).toBeUndefined();
  expect(data.favourites).toEqual({
    tlds: [
      { name: 'com', upstreamId: expect.any(Number) },
      { name: 'unsold-tld', upstreamId: null },
      { name: 'xn--p1ai', upstreamId: expect.any(Number) },
    ],
    contact: { upstreamId: expect.any(Number) },
    account: { upstreamId: expect.any(Number) },
  });
  expect(await gateway.countCalls()).toEqual({ tldlist: 1, getdetails: 1, resellerdetails: 1 });
});

test('a purchase is sent once and unchanged', async () => {
  const { data, errors } = await sendQuery(buy('stitched-maple.com'));

  expect(errors).toBeUndefined();
  expect(data).toEqual(bought('stitched-maple.com'));
  expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
});

test('a key without the scope gets the fields of the neighbour, and the refusal of the gateway', async () => {
  const env = { SUBGRAPH: 'true', API_KEYS: apiKeysOf({ prices: ['domains:check'] }) };
  const keyed = await startTestGateway({ env });
  onTestFinished(() => keyed.close());
  const send = queriesTo(stitch(sdl, stitchedNeighbour(), overHttp(keyed, by('prices'))));

  const { data, errors } = await send(
    '{ busiest(names: ["private-demo.net"]) { visits expiresAt } }',
  );

  expect(data.busiest).toEqual([{ visits: visitsOf('private-demo.net'), expiresAt: null }]);
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  expect(await keyed.countCalls()).toEqual({});
});
