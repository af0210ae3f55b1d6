import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isUnionType } from 'graphql';
import { LRUCache } from 'lru-cache';
import { allAccessScopes, type Caller } from '../kernel/caller.ts';
import { servedTypeName } from '../kernel/schema-extensions.ts';
import { maySelect, neededFor } from './access.ts';
import { accessOfNodes } from './node.ts';
import { rootsOf, typesFrom } from './type-graph.ts';

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

/** Whether the caller may read each object of a union that names scopes. */
const mayReadAll = (caller: Reader, type: GraphQLNamedType): boolean =>
  isUnionType(type) && neededFor(type).length > 0 && maySelect(caller, type);

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
    const next = typesFrom(type, schema, {
      field: (field) => maySelect(caller, field),
      object: ({ name }, of) => !closed.has(name) || mayReadAll(caller, of),
    });
    for (const one of next) reach(one);
  };
  for (const root of rootsOf(schema)) {
    if (Object.values(root.getFields()).some((field) => maySelect(caller, field))) reach(root);
  }
  for (const { args } of schema.getDirectives())
    for (const { type } of args) reach(getNamedType(type));
  return reached;
}
