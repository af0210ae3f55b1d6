import { MapperKind, mapSchema, renameType } from '@graphql-tools/utils';
import {
  GraphQLInterfaceType,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  GraphQLUnionType,
} from 'graphql';
import { withTypeNames } from '../../kernel/schema-extensions.ts';
import type { Scope } from '../../scope/scope.ts';

/** Root types belong to the whole supergraph, and Relay clients expect the names of the two others. */
const commonNames: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Node',
  'PageInfo',
]);

/** The name of a type of this graph when types have this prefix. */
export const prefixed = (prefix: string, name: string): string =>
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
