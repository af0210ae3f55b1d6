import { getTypeBrand } from '@pothos/core';
import {
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
} from 'graphql';
import { Fault } from '../kernel/faults.ts';
import type { Scope } from '../modules/scope.ts';
import { costs, ledTogether, nothing } from '../schema/cost.ts';
import { costOfEntity, loadEntity } from '../schema/entity.ts';
import { withinLimit } from '../schema/list-limit.ts';
import { printForStitching, printSubgraph } from './sdl.ts';
import { prefixed } from './with-prefix.ts';

/** A router sends what a whole page of another graph names at once, and can't be told to ask in parts. */
const mostRepresentations = 1_000;

export interface SubgraphOptions {
  readonly prefix: string;
  /** Whether `_service` and `_sdl` are there, which tell the whole graph. */
  readonly showsSdl: boolean;
}

type Fields = GraphQLFieldConfigMap<unknown, Scope>;

/** The graph with the root fields that routers and stitching gateways ask; `schema` has its prefix already. */
export function asSubgraph(schema: GraphQLSchema, options: SubgraphOptions): GraphQLSchema {
  const { query, types, ...rest } = schema.toConfig();
  if (!query) throw new Error('A graph without queries is no subgraph.');
  const config = query.toConfig();
  const fields = {
    ...config.fields,
    ...entityFields(schema, options.prefix),
    ...(options.showsSdl && sdlFields(schema)),
  };
  return new GraphQLSchema({
    ...rest,
    query: new GraphQLObjectType({ ...config, fields }),
    types: types.filter((type) => type !== query),
  });
}

function entityFields(schema: GraphQLSchema, prefix: string): Fields {
  const node = schema.getType('Node');
  const entities = isInterfaceType(node) ? schema.getImplementations(node).objects : [];
  const typenames = new Map<unknown, string>(
    entities.map(({ name }) => [name, name.slice(prefix.length)]),
  );
  return {
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(entityUnion(entities, prefix))),
      description:
        'What these representations name, in their order, null in place of what is not there. Costs what `nodes` costs.',
      args: {
        representations: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Representation))),
          description: `At most ${mostRepresentations}.`,
        },
      },
      extensions: costs((count, { representations }: { representations: readonly unknown[] }) =>
        ledTogether(
          representations.map((one) => {
            const { __typename, ...keys } = readRepresentation(one);
            const typename = typenames.get(__typename);
            return typename === undefined ? nothing : costOfEntity(count, typename, keys);
          }),
        ),
      ),
      resolve: (_root, { representations }, scope) =>
        withinLimit<unknown>('representations', representations, mostRepresentations).map(
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
  description: 'An object that names a thing: its `__typename` and one of its keys.',
});

const entityUnion = (types: readonly GraphQLObjectType[], prefix: string) =>
  new GraphQLUnionType({
    name: '_Entity',
    description: 'What other graphs may name.',
    types,
    resolveType: (value) => prefixed(prefix, String(getTypeBrand(value))),
  });

/** Whatever it is: one that can't be read has an error of its own, and costs the others nothing. */
const readRepresentation = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const unknownType = (typename: unknown) =>
  new Fault('INVALID_INPUT', {
    message:
      typeof typename === 'string'
        ? `"${typename.slice(0, 80)}" is no type that this graph can find by a key.`
        : 'A representation is an object with a "__typename".',
  });

function sdlFields(schema: GraphQLSchema): Fields {
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'This graph as a part of a federated one.',
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'What a composer reads; the same as `subgraph.graphql`.',
      },
    },
  });
  return {
    _service: {
      type: new GraphQLNonNull(service),
      description: 'This graph as a part of a federated one. Costs no upstream call.',
      resolve: () => ({ sdl: printSubgraph(schema) }),
    },
    _sdl: {
      type: new GraphQLNonNull(GraphQLString),
      description:
        'What a stitching gateway reads; the same as `stitching.graphql`. Costs no upstream call.',
      resolve: () => printForStitching(schema),
    },
  };
}
