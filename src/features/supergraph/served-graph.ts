import { MapperKind, mapSchema, renameType } from '@graphql-tools/utils';
import { getTypeBrand } from '@pothos/core';
import {
  type GraphQLFieldConfigMap,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  type GraphQLTypeResolver,
  GraphQLUnionType,
  isInterfaceType,
} from 'graphql';
import { invalidInput } from '../../kernel/faults.ts';
import type { MaxAges } from '../../kernel/instant.ts';
import { withTypeNames } from '../../kernel/schema-extensions.ts';
import { lazy } from '../../lib/lazy.ts';
import { withinLimit } from '../../schema/arguments.ts';
import { costs, mergeContexts, noEntities } from '../../schema/cost.ts';
import { costOfEntity, loadEntity } from '../../schema/node.ts';
import type { Scope } from '../../scope/scope.ts';
import type { Serving } from '../../seam/feature.ts';
import { printForStitching, printSubgraph } from './sdl.ts';
import { supergraphSettings } from './settings.ts';

export { sdlFiles } from './sdl.ts';

type Fields = GraphQLFieldConfigMap<unknown, Scope>;

/** A router sends the keys of a whole page of another graph in one request and cannot split it. */
const maxRepresentations = 1_000;

/** The graph with the prefix and subgraph fields of the settings. */
export function serve(schema: GraphQLSchema, serving: Serving): GraphQLSchema {
  const { introspection, maxAges } = serving;
  const { TYPE_PREFIX: typePrefix, SUBGRAPH: isSubgraph } = supergraphSettings.of(serving);
  const graph = withPrefix(schema, typePrefix);
  if (!isSubgraph) return graph;
  return withQueryFields(graph, {
    ...entityFields(graph, typePrefix),
    ...(introspection === 'caller' && sdlFields(graph, maxAges)),
  });
}

function withQueryFields(schema: GraphQLSchema, fields: Fields): GraphQLSchema {
  const { query, types, ...rest } = schema.toConfig();
  if (!query) return schema;
  const config = query.toConfig();
  return new GraphQLSchema({
    ...rest,
    query: new GraphQLObjectType({ ...config, fields: { ...config.fields, ...fields } }),
    types: types.filter((type) => type !== query),
  });
}

/** The types that other subgraphs may refer to. */
function entitiesOf(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getImplementations(node).objects : [];
}

function entityFields(schema: GraphQLSchema, prefix: string): Fields {
  const entities = entitiesOf(schema);
  const typenames = new Map<unknown, string>(
    entities.map(({ name }) => [name, name.slice(prefix.length)]),
  );
  return {
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(entityUnion(entities, prefix))),
      description:
        'The objects of these representations, in their order; null in place of an object that does not exist. Calls: those of `nodes`.',
      args: {
        representations: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Representation))),
          description: `At most ${maxRepresentations}.`,
        },
      },
      extensions: costs((count, { representations }: { representations: readonly unknown[] }) =>
        mergeContexts(
          representations.map((one) => {
            const { __typename, ...keys } = readRepresentation(one);
            const typename = typenames.get(__typename);
            return typename === undefined ? noEntities : costOfEntity(count, typename, keys);
          }),
        ),
      ),
      resolve: (_root, { representations }, scope) =>
        withinLimit<unknown>('representations', representations, maxRepresentations).map(
          async (one) => {
            const { __typename, ...keys } = readRepresentation(one);
            const typename = typenames.get(__typename);
            if (typename === undefined) throw unknownType(__typename);
            return loadEntity(scope, typename, keys);
          },
        ),
    },
  };
}

const Representation = new GraphQLScalarType({
  name: '_Any',
  description: 'A representation: an object with `__typename` and one of the keys of that type.',
});

const entityUnion = (types: readonly GraphQLObjectType[], prefix: string) =>
  new GraphQLUnionType({
    name: '_Entity',
    description: 'The entities that other subgraphs may refer to.',
    types,
    resolveType: (value) => prefixed(prefix, String(getTypeBrand(value))),
  });

/** Empty for a value that is not an object, so that only this representation gets an error. */
const readRepresentation = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const unknownType = (typename: unknown) =>
  invalidInput(
    typeof typename === 'string'
      ? `"${typename.slice(0, 80)}" is not an entity of this graph.`
      : 'A representation must be an object with "__typename".',
  );

function sdlFields(schema: GraphQLSchema, maxAges: MaxAges | undefined): Fields {
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'This graph as a subgraph.',
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description:
          'The SDL for composition; the same as `subgraph.graphql` of the package but for maximum ages that the settings change.',
      },
    },
  });
  const subgraph = lazy(() => printSubgraph(schema, maxAges));
  const stitching = lazy(() => printForStitching(schema));
  return {
    _service: {
      type: new GraphQLNonNull(service),
      description: 'This graph as a subgraph. Calls: none.',
      resolve: () => ({ sdl: subgraph() }),
    },
    _sdl: {
      type: new GraphQLNonNull(GraphQLString),
      description:
        'The SDL for a stitching gateway; the same as `stitching.graphql` of the package. Calls: none.',
      resolve: () => stitching(),
    },
  };
}

/** Root types belong to the whole supergraph, and Relay clients expect the names of the two others. */
const commonNames: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Node',
  'PageInfo',
]);

/** The name of a type of this graph when types have this prefix. */
const prefixed = (prefix: string, name: string): string =>
  commonNames.has(name) ? name : `${prefix}${name}`;

/** The same graph with a prefix before the names of its types. Global ids do not change. */
export function withPrefix(schema: GraphQLSchema, prefix: string): GraphQLSchema {
  if (prefix === '') return schema;
  const abstract = (type: { readonly name: string; readonly resolveType?: TypeResolver }) => ({
    name: prefixed(prefix, type.name),
    resolveType: withPrefixOf(type.resolveType, prefix),
  });
  const renamed = mapSchema(schema, {
    [MapperKind.TYPE]: (type) => renameType(type, prefixed(prefix, type.name)),
    [MapperKind.INTERFACE_TYPE]: (type) =>
      new GraphQLInterfaceType({ ...type.toConfig(), ...abstract(type) }),
    [MapperKind.UNION_TYPE]: (type) =>
      new GraphQLUnionType({ ...type.toConfig(), ...abstract(type) }),
  });
  return withTypeNames(renamed, (name) => prefixed(prefix, name));
}

type TypeResolver = GraphQLTypeResolver<unknown, Scope> | null | undefined;

const withPrefixOf = (resolve: TypeResolver, prefix: string): TypeResolver =>
  resolve &&
  (async (...args) => {
    const name = await resolve(...args);
    return name && prefixed(prefix, name);
  });
