import {
  buildSchema,
  type DirectiveNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  validateSchema,
} from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { aliased, errorFacts, portfolioNames, read } from '../../../../test/graph/reads/reads.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { schema } from '../../../app/graph.ts';
import { sdlFiles } from '../../../app/sdl.ts';
import { globalId } from '../../../schema/global-id.ts';
import { withPrefix } from '../with-prefix.ts';

/** The directives that a composer of the draft defines. */
const builtIn = /* GraphQL */ `
  scalar FieldSelectionSet
  directive @lookup on FIELD_DEFINITION
  directive @internal on OBJECT | FIELD_DEFINITION
  directive @shareable repeatable on OBJECT | FIELD_DEFINITION
  directive @key(fields: FieldSelectionSet!) repeatable on OBJECT | INTERFACE
`;

type Maybe<Value> = Value | null | undefined;

interface Marked {
  readonly astNode?: Maybe<{ readonly directives?: readonly DirectiveNode[] | undefined }>;
}

const directivesOf = ({ astNode }: Marked, name: string): readonly DirectiveNode[] =>
  astNode?.directives?.filter((one) => one.name.value === name) ?? [];

const keysOf = (type: GraphQLObjectType): readonly string[] =>
  directivesOf(type, 'key').map(({ arguments: [fields] = [] }) =>
    fields?.value.kind === Kind.STRING ? fields.value.value : '',
  );

const lookupsOf = (source: GraphQLSchema) =>
  Object.values(source.getQueryType()?.getFields() ?? {}).filter(
    (field) => directivesOf(field, 'lookup').length > 0,
  );

/** What a source schema breaks of the rules of the draft for keys and lookups: each by the error code of the draft. */
function flawsOf(sdl: string): readonly string[] {
  const source = buildSchema(builtIn + sdl);
  if (validateSchema(source).length > 0) return ['INVALID_GRAPHQL'];
  const flaws: string[] = [];
  for (const type of Object.values(source.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const key of keysOf(type)) {
      const field = type.getFields()[key];
      if (!field) flaws.push(`KEY_INVALID_FIELDS ${type.name}`);
      else if (field.args.length > 0) flaws.push(`KEY_FIELDS_HAS_ARGS ${type.name}`);
      else if (isListType(field.type)) flaws.push(`KEY_FIELDS_SELECT_INVALID_TYPE ${type.name}`);
    }
  }
  const resolved = new Set<string>();
  for (const { name, type, args } of lookupsOf(source)) {
    if (isNonNullType(type)) flaws.push(`LOOKUP_RETURNS_NON_NULLABLE_TYPE ${name}`);
    else if (isListType(type)) flaws.push(`LOOKUP_RETURNS_LIST ${name}`);
    else if (isObjectType(type)) {
      const key = args.map((one) => one.name).join(' ');
      if (!keysOf(type).includes(key)) flaws.push(`not a key: ${name}`);
      const ofType = args.every((one) => `${one.type}` === `${type.getFields()[one.name]?.type}`);
      if (!ofType) flaws.push(`another type than the key: ${name}`);
      if (resolved.has(`${type} ${key}`)) flaws.push(`a second lookup of one key: ${name}`);
      resolved.add(`${type} ${key}`);
    }
  }
  return flaws;
}

const composite = sdlFiles['composite.graphql'] ?? (() => '');

test.each(['', 'Acme'])(
  'composite.graphql with the prefix "%s" follows the rules of the draft, with one lookup for each key',
  (prefix) => {
    const sdl = composite(withPrefix(schema, prefix));

    expect(flawsOf(sdl)).toEqual([]);
    const source = buildSchema(builtIn + sdl);
    const entities = Object.values(source.getTypeMap()).filter(
      (type) => isObjectType(type) && keysOf(type).length > 0,
    ) as readonly GraphQLObjectType[];
    const lookups = lookupsOf(source);
    expect(entities.length).toBeGreaterThan(7);
    expect(lookups).toHaveLength(entities.flatMap(keysOf).length);
    for (const field of [...lookups, ...['node', 'nodes'].map((name) => rootField(source, name))]) {
      expect(directivesOf(field, 'internal')).toHaveLength(1);
    }
  },
);

function rootField(source: GraphQLSchema, name: string) {
  const field = source.getQueryType()?.getFields()[name];
  if (!field) throw new Error(`Query has no field ${name}.`);
  return field;
}

test.each([
  ['type Query { a(id: ID!): A! @lookup }', 'LOOKUP_RETURNS_NON_NULLABLE_TYPE a'],
  ['type Query { a(id: ID!): [A] @lookup }', 'LOOKUP_RETURNS_LIST a'],
  ['type Query { a(name: ID!): A @lookup }', 'not a key: a'],
  ['type Query { a(id: String!): A @lookup }', 'another type than the key: a'],
  ['type Query { a(id: ID!): A @lookup b(id: ID!): A @lookup }', 'a second lookup of one key: b'],
  ['type Query { b: B } type B @key(fields: "x") { y: ID! }', 'KEY_INVALID_FIELDS B'],
])('the rules refuse %s', (sdl, flaw) => {
  expect(flawsOf(`${sdl} type A @key(fields: "id") { id: ID! name: ID! }`)).toContain(flaw);
});

test('a subgraph serves the lookups of the file, sixty of them for one call', async () => {
  const gateway = await startTestGateway({ env: { SUBGRAPH: 'true' }, sandboxDomains: 60 });
  onTestFinished(() => gateway.close());
  const names = [...portfolioNames(59), 'not-registered.com'];
  const id = (type: string, key: string) => JSON.stringify(globalId(type, key));

  const served = await read(gateway, '{ __schema { queryType { fields { name } } } }');
  const many = await read(gateway, `{ ${aliased('_domainByName', names, '{ name }')} }`);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  const { errors, ...others } = await gateway.query(`{
    _domainById(id: ${id('Domain', 'private-demo.net')}) { name }
    _tldByName(name: "com") { name }
    _tldById(id: ${id('Tld', 'net')}) { name }
    _contactById(id: ${id('Contact', 'private-demo.net/billing')}) { role }
    _resellerById(id: ${id('Reseller', 'self')}) { name }
    absent: _orderById(id: ${id('Order', 'absent')}) { id }
    other: _purchaseById(id: ${id('Tld', 'com')}) { id }
  }`);

  const lookups = lookupsOf(buildSchema(builtIn + composite(schema))).map(({ name }) => name);
  expect(served.__schema.queryType.fields.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(lookups),
  );
  expect(Object.values(many)).toEqual([...portfolioNames(59).map((name) => ({ name })), null]);
  expect(errors).toBeUndefined();
  expect(others.data).toEqual({
    _domainById: { name: 'private-demo.net' },
    _tldByName: { name: 'com' },
    _tldById: { name: 'net' },
    _contactById: { role: 'BILLING' },
    _resellerById: { name: 'Demo Reseller' },
    absent: null,
    other: null,
  });
});

test('a lookup needs a scope of its type', async () => {
  const env = { SUBGRAPH: 'true', API_KEYS: apiKeysOf({ prices: ['domains:check'] }) };
  const gateway = await startTestGateway({ env });
  onTestFinished(() => gateway.close());

  const { data, errors } = await gateway.query(
    '{ _tldByName(name: "com") { name } _domainByName(name: "private-demo.net") { name } }',
    {},
    by('prices'),
  );

  expect(data).toEqual({ _tldByName: { name: 'com' }, _domainByName: null });
  expect(errors.map(errorFacts)).toMatchObject([{ path: ['_domainByName'], code: 'FORBIDDEN' }]);
  expect(await gateway.countCalls()).toEqual({ tldlist: 1 });
});
