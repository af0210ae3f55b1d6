import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  type GraphQLType,
  type GraphQLTypeResolver,
  GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import type { Scope } from '../modules/scope.ts';

/** Root types are those of the whole supergraph, and clients of Relay know the two others by these names. */
const commonNames: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Node',
  'PageInfo',
]);

/** The name of a type of ours where every type has this prefix. */
export const prefixed = (prefix: string, name: string): string =>
  commonNames.has(name) ? name : `${prefix}${name}`;

/** The same graph with a prefix before the names of its types; global ids stay as they are. */
export function withPrefix(schema: GraphQLSchema, prefix: string): GraphQLSchema {
  if (prefix === '') return schema;
  const { query, mutation, subscription, types, ...rest } = schema.toConfig();
  const copyOf = createCopies(prefix);
  return new GraphQLSchema({
    ...rest,
    query: query && copyOf(query),
    mutation: mutation && copyOf(mutation),
    subscription: subscription && copyOf(subscription),
    types: types.map(copyOf),
  });
}

type Fields = GraphQLFieldConfigMap<unknown, Scope>;
type Resolver = GraphQLTypeResolver<unknown, Scope> | null | undefined;

/** Copies types by turns, each once: the fields of one are copied when they are first looked at. */
function createCopies(prefix: string) {
  const copies = new Map<GraphQLNamedType, GraphQLNamedType>();

  function copyOf<Type extends GraphQLNamedType>(type: Type): Type {
    const copy = copies.get(type) ?? copyAnew(type);
    copies.set(type, copy);
    return copy as Type;
  }

  function within<Type extends GraphQLType>(type: Type): Type {
    if (isListType(type)) return new GraphQLList(within(type.ofType)) as Type;
    if (isNonNullType(type)) return new GraphQLNonNull(within(type.ofType)) as Type;
    return copyOf(type as GraphQLNamedType) as Type;
  }

  const typed = <Member extends { type: GraphQLType }>(member: Member): Member => ({
    ...member,
    type: within(member.type),
  });

  const field = (one: GraphQLFieldConfig<unknown, Scope>) => ({
    ...typed(one),
    args: mapValues(one.args ?? {}, typed),
  });

  const structure = (fields: Fields, interfaces: readonly GraphQLInterfaceType[]) => ({
    fields: () => mapValues(fields, field),
    interfaces: () => interfaces.map(copyOf),
  });

  const resolving = (resolve: Resolver) =>
    resolve && {
      resolveType: async (...args: Parameters<NonNullable<Resolver>>) => {
        const name = await resolve(...args);
        return name && prefixed(prefix, name);
      },
    };

  function copyAnew(type: GraphQLNamedType): GraphQLNamedType {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) return type;
    const name = prefixed(prefix, type.name);
    if (isScalarType(type)) return new GraphQLScalarType({ ...type.toConfig(), name });
    if (isEnumType(type)) return new GraphQLEnumType({ ...type.toConfig(), name });
    if (isInputObjectType(type)) {
      const config = type.toConfig();
      const fields = () => mapValues(config.fields, typed);
      return new GraphQLInputObjectType({ ...config, name, fields });
    }
    if (isObjectType(type)) {
      const config = type.toConfig();
      const { fields, interfaces } = config;
      return new GraphQLObjectType({ ...config, name, ...structure(fields, interfaces) });
    }
    if (isInterfaceType(type)) {
      const config = type.toConfig();
      const { fields, interfaces, resolveType } = config;
      const own = { ...structure(fields, interfaces), ...resolving(resolveType) };
      return new GraphQLInterfaceType({ ...config, name, ...own });
    }
    const config = type.toConfig();
    const types = () => config.types.map(copyOf);
    return new GraphQLUnionType({ ...config, name, types, ...resolving(config.resolveType) });
  }

  return copyOf;
}

const mapValues = <Value, Made>(
  record: Readonly<Record<string, Value>>,
  make: (value: Value) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]));
