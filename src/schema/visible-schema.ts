import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { allAccessScopes, type Caller } from '../kernel/caller.ts';
import { servedTypeName } from '../kernel/served-type.ts';
import { maySelect } from './access.ts';
import { accessOfNodes } from './node.ts';

type Reader = Pick<Caller, 'scopes' | 'customer'>;

/** Callers with different scopes whose schemas are cached. */
const maxSchemas = 20;

/** Returns the function that creates the schema of a caller, and caches it for all callers with the same scopes. */
export function createVisibleSchemas(schema: GraphQLSchema) {
  const schemas = new LRUCache<string, GraphQLSchema>({ max: maxSchemas });
  return (caller: Reader): GraphQLSchema => {
    const seesAll = caller.customer === null && caller.scopes.size === allAccessScopes.length;
    if (seesAll) return schema;
    const key = [...caller.scopes].sort().join() + (caller.customer === null ? '' : ' bound');
    const known = schemas.get(key) ?? visibleSchema(schema, caller);
    schemas.set(key, known);
    return known;
  };
}

/** The part of a schema that a caller may use: the fields whose scopes it has, and the types that these lead to. */
export function visibleSchema(schema: GraphQLSchema, caller: Reader): GraphQLSchema {
  const reached = reachedTypes(schema, caller);
  const visible = mapSchema(schema, {
    [MapperKind.TYPE]: (type) => (reached.has(type.name) ? undefined : null),
    [MapperKind.COMPOSITE_FIELD]: (field) => (maySelect(caller, field) ? undefined : null),
  });
  visible.description = descriptionIn(visible);
  return visible;
}

/** Without the lines of root fields that it does not have. */
function descriptionIn(schema: GraphQLSchema): string | undefined {
  const fields = new Set(rootsOf(schema).flatMap((root) => Object.keys(root.getFields())));
  return schema.description?.replace(/^- [^`\n]*`(\w+)`.*\n/gm, (line, field: string) =>
    fields.has(field) ? line : '',
  );
}

const rootsOf = (schema: GraphQLSchema): readonly GraphQLObjectType[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (root) => root ?? [],
  );

function reachedTypes(schema: GraphQLSchema, caller: Reader): ReadonlySet<string> {
  const closed = new Set(
    [...accessOfNodes()]
      .filter(([, access]) => !maySelect(caller, { extensions: { access } }))
      .map(([name]) => servedTypeName(schema, name)),
  );
  const reached = new Set<string>();
  const reach = (type: GraphQLNamedType): void => {
    if (reached.has(type.name)) return;
    reached.add(type.name);
    for (const next of typesFrom(type)) reach(next);
  };
  const typesFrom = (type: GraphQLNamedType): readonly GraphQLNamedType[] => [
    ...(isAbstractType(type)
      ? schema.getPossibleTypes(type).filter(({ name }) => !closed.has(name))
      : []),
    ...(isInputObjectType(type) ? Object.values(type.getFields()).map(typeOf) : []),
    ...(isObjectType(type) || isInterfaceType(type)
      ? [
          ...type.getInterfaces(),
          ...Object.values(type.getFields())
            .filter((field) => maySelect(caller, field))
            .flatMap((field) => [typeOf(field), ...field.args.map(typeOf)]),
        ]
      : []),
  ];
  for (const root of rootsOf(schema)) {
    if (Object.values(root.getFields()).some((field) => maySelect(caller, field))) reach(root);
  }
  for (const { args } of schema.getDirectives()) for (const arg of args) reach(typeOf(arg));
  return reached;
}

const typeOf = ({ type }: { readonly type: Parameters<typeof getNamedType>[0] }) =>
  getNamedType(type) as GraphQLNamedType;
