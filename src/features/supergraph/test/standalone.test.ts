import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  isSpecifiedScalarType,
  printType,
} from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readText } from '../../../../test/docs/markdown.ts';
import { read } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway, type TestGatewayOptions } from '../../../../test/support/gateway.ts';
import { requestPaths } from '../../../../test/support/request-paths.ts';

async function start(options: TestGatewayOptions) {
  const gateway = await startTestGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

const introspection = getIntrospectionQuery({
  specifiedByUrl: true,
  inputValueDeprecation: true,
  oneOf: true,
});

const typesOf = (schema: GraphQLSchema) =>
  Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
      .map((type) => [type.name, printType(type)]),
  );

const own = () => typesOf(buildSchema(readText('schema.graphql')));

const entityQuery =
  '{ _entities(representations: [{ __typename: "Tld", name: "com" }]) { __typename } }';

test('a gateway without settings serves schema.graphql without subgraph fields', async () => {
  const gateway = await start({});

  const seen = typesOf(buildClientSchema(await read(gateway, introspection)));

  expect(seen).toEqual(own());
  for (const document of [entityQuery, '{ _service { sdl } }', '{ _sdl }']) {
    expect((await gateway.query(document)).data).toBeUndefined();
  }
});

test('a subgraph serves the root fields for other gateways', async () => {
  const gateway = await start({ env: { SUBGRAPH: 'true' } });

  const { Query, _Any, _Entity, _Service, ...seen } = typesOf(
    buildClientSchema(await read(gateway, introspection)),
  );
  const { Query: ownQuery, ...rest } = own();

  expect(seen).toEqual(rest);
  const added = Query?.split('\n').filter((line) => !ownQuery?.split('\n').includes(line));
  const names = added?.flatMap((line) => /^ {2}(_\w+)/.exec(line)?.[1] ?? []) ?? [];
  expect(names.filter((name) => !/By(Id|Name)$/.test(name))).toEqual([
    '_entities',
    '_service',
    '_sdl',
  ]);
});

describe.each(requestPaths)('in production, on %s', (_name, way) => {
  test('entities are served, and the SDL is hidden like introspection', async () => {
    const gateway = await start({ ...way, env: { SUBGRAPH: 'true', DEVELOPMENT: 'false' } });

    const { data } = await gateway.query(entityQuery);
    const refusals = await Promise.all(
      ['{ _service { sdl } }', '{ _sdl }', '{ __schema { types { name } } }'].map((document) =>
        gateway.query(document),
      ),
    );

    expect(data._entities).toEqual([{ __typename: 'Tld' }]);
    for (const { data: hidden, errors } of refusals) {
      expect(hidden).toBeUndefined();
      expect(errors[0].extensions.code).toBe('INVALID_REQUEST');
    }
  });

  test('entities need an API key like every field', async () => {
    const env = { SUBGRAPH: 'true', API_KEY: 'a-key-of-the-router' };
    const gateway = await start({ ...way, env });

    expect((await gateway.query(entityQuery)).status).toBe(401);
    const { data } = await gateway.query(entityQuery, {}, { 'x-api-key': env.API_KEY });
    expect(data._entities).toEqual([{ __typename: 'Tld' }]);
  });
});
