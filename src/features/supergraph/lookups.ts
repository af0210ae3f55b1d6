import {
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  GraphQLSchema,
  isInputType,
  isInterfaceType,
} from 'graphql';
import { costs } from '../../schema/cost.ts';
import type { SupergraphDirectives } from '../../schema/marks.ts';
import { costOfEntity, loadEntity } from '../../schema/node.ts';
import type { Scope } from '../../scope/scope.ts';

export type Fields = GraphQLFieldConfigMap<unknown, Scope>;

/** The types that other subgraphs may refer to. */
export function entitiesOf(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getImplementations(node).objects : [];
}

const hidden: SupergraphDirectives = { composite: { lookup: {}, internal: {} } };

/**
 * For each key of each entity a root field that loads it, such as `_domainByName(name:)`. Gateways of the GraphQL Federation
 * draft call them, and clients of those do not see them. The names of the types begin with `prefix`.
 */
export const lookupFields = (schema: GraphQLSchema, prefix: string): Fields =>
  Object.fromEntries(
    entitiesOf(schema).flatMap((type) =>
      keysOf(type).map((key) => {
        const typename = type.name.slice(prefix.length);
        return [`_${lowerFirst(type.name)}By${upperFirst(key)}`, lookup(type, typename, key)];
      }),
    ),
  );

function lookup(type: GraphQLObjectType, typename: string, key: string): Fields[string] {
  const keyType = type.getFields()[key]?.type;
  if (!keyType || !isInputType(keyType)) throw new Error(`${type.name}.${key} cannot be a key.`);
  return {
    type,
    description: `For gateways: the ${typename} with this key, or null. Costs the same calls as \`nodes\`.`,
    args: { [key]: { type: keyType } },
    extensions: {
      supergraph: hidden,
      ...costs((count, keys) => costOfEntity(count, typename, keys)),
    },
    resolve: (_root, keys, scope) => loadEntity(scope, typename, keys),
  };
}

function keysOf({ extensions }: GraphQLObjectType): readonly string[] {
  const { supergraph } = extensions as { supergraph?: SupergraphDirectives };
  const keys = supergraph?.composite?.key;
  return Array.isArray(keys) ? keys.map(({ fields }) => fields) : [];
}

/** The schema with further fields of `Query`. */
export function withQueryFields(schema: GraphQLSchema, fields: Fields): GraphQLSchema {
  const { query, types, ...rest } = schema.toConfig();
  if (!query) return schema;
  const config = query.toConfig();
  return new GraphQLSchema({
    ...rest,
    query: new GraphQLObjectType({ ...config, fields: { ...config.fields, ...fields } }),
    types: types.filter((type) => type !== query),
  });
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
