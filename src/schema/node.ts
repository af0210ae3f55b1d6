import { brandWithType, getTypeBrand } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { AccessScope } from '../kernel/caller.ts';
import { type Fault, invalidInput } from '../kernel/faults.ts';
import { globalId, parseGlobalId, readGlobalId } from '../kernel/ids.ts';
import { loadsBy, onlyHere, servedTypeName } from '../kernel/schema-extensions.ts';
import type { CallCount, CostContext } from '../kernel/upstream-calls.ts';
import type { Scope } from '../scope/scope.ts';
import { assertMayRead } from './access.ts';
import { withinLimit } from './arguments.ts';
import { builder, type ObjectFieldBuilder } from './builder.ts';
import { costs, mergeContexts, noEntities } from './cost.ts';

export const NodeRef = builder.interfaceRef<object>('Node').implement({
  description: 'An object that can be read by its id.',
  resolveType: (value) => getTypeBrand(value) as string,
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Opaque, stable and unique in the whole graph.',
      resolve: () => '',
    }),
  }),
});

/** How an object is loaded by the value of a key. */
interface ByKey {
  /** Null when the object does not exist. It must use the reads of the request, so that keys are batched. */
  readonly load: (scope: Scope, value: string) => object | null | Promise<object | null>;
  /** Counts the upstream calls of `load`. */
  readonly cost: (count: CallCount, value: string) => CostContext;
}

/** How the objects of a node type are loaded, by the key in their id. */
interface NodeKind extends ByKey {
  /** The caller needs one of these scopes. */
  readonly needed: readonly AccessScope[];
  /** A second key besides `id`, for `_entities`. */
  readonly natural?: ByKey & { readonly field: string };
}

const kinds = new Map<string, NodeKind>();

/** Registers a type for `node`, `nodes` and `_entities`. */
export const registerNode = (typename: string, kind: NodeKind): void =>
  void kinds.set(typename, kind);

/** The scopes of which a caller needs one to read the objects of each node type. */
export function* accessOfNodes(): Generator<
  readonly [typename: string, access: readonly AccessScope[]]
> {
  for (const [typename, { needed }] of kinds) yield [typename, needed];
}

/** Counts the upstream calls of loading an id; none for an id of another type or a malformed one. */
function costOfNode(count: CallCount, id: string, typename?: string): CostContext {
  const named = readGlobalId(id);
  if (!named || (typename !== undefined && typename !== named.typename)) return noEntities;
  return kinds.get(named.typename)?.cost(count, named.key) ?? noEntities;
}

/** @throws Fault `FORBIDDEN` when the caller has none of the scopes of the type. */
function assertMayFind(scope: Scope, typename: string): void {
  assertMayRead(scope, { extensions: { access: kinds.get(typename)?.needed ?? [] } }, null);
}

/**
 * The object with this id; null when it does not exist or the id is malformed.
 *
 * @throws Fault `FORBIDDEN` as `assertMayFind`.
 */
async function loadNode(scope: Scope, id: string): Promise<object | null> {
  const named = readGlobalId(id);
  if (!named) return null;
  const { typename, key } = named;
  assertMayFind(scope, typename);
  return branded(typename, (await kinds.get(typename)?.load(scope, key)) ?? null);
}

/** As `loadNode`; null for a type that this graph does not have. */
const loadServedNode = (scope: Scope, id: string, { schema }: GraphQLResolveInfo) =>
  schema.getType(servedTypeName(schema, readGlobalId(id)?.typename ?? ''))
    ? loadNode(scope, id)
    : null;

/** The object, marked with its type for `resolveType`. */
export function branded<Found extends object | null>(typename: string, object: Found): Found {
  if (object) brandWithType(object, typename as never);
  return object;
}

export const nodeId = <Shape>(
  t: ObjectFieldBuilder<Shape>,
  typename: string,
  keyOf: (object: Shape) => string,
  description = 'Opaque and stable.',
) =>
  t.id({
    nullable: false,
    description,
    resolve: (object) => globalId(typename, keyOf(object)),
  });

builder.queryField('node', (t) =>
  t.field({
    type: NodeRef,
    nullable: true,
    description:
      'The object with this id; null when the account does not have it, and for a malformed id. Requires the scopes of its type.',
    extensions: {
      supergraph: onlyHere,
      ...costs((count, { id }) => costOfNode(count, id)),
    },
    args: { id: t.arg.id({ required: true, description: 'From a field `id`.' }) },
    resolve: (_root, { id }, scope, info) => loadServedNode(scope, id, info),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeRef],
    nullable: { list: false, items: true },
    description:
      'The objects with these ids, in their order; null in place of an unknown or malformed id. Each requires the scopes of its type.',
    extensions: {
      ...loadsBy('id', onlyHere),
      ...costs((count, { ids }: { ids: readonly string[] }) =>
        mergeContexts(ids.map((id) => costOfNode(count, id))),
      ),
    },
    args: { ids: t.arg.idList({ required: true, description: 'At most 100.' }) },
    resolve: (_root, { ids }, scope, info) =>
      withinLimit('ids', ids).map((id) => loadServedNode(scope, id, info)),
  }),
);

type Keys = Readonly<Record<string, unknown>>;

/** The second key of the type and its value, when the keys have it. */
function naturalKey(typename: string, keys: Keys): { by: ByKey; value: string } | null {
  const by = kinds.get(typename)?.natural;
  const value = by && keys[by.field];
  return by && typeof value === 'string' ? { by, value } : null;
}

/** Counts the upstream calls of `loadEntity`. */
export function costOfEntity(count: CallCount, typename: string, keys: Keys): CostContext {
  const natural = naturalKey(typename, keys);
  if (natural) return natural.by.cost(count, natural.value);
  return typeof keys.id === 'string' ? costOfNode(count, keys.id, typename) : noEntities;
}

/**
 * The object of a type with these keys; null when it does not exist.
 *
 * @throws Fault `INVALID_INPUT` without a valid key of the type, `FORBIDDEN` without a scope of the type.
 */
export async function loadEntity(
  scope: Scope,
  typename: string,
  keys: Keys,
): Promise<object | null> {
  assertMayFind(scope, typename);
  const natural = naturalKey(typename, keys);
  if (natural) return branded(typename, await natural.by.load(scope, natural.value));
  const { id } = keys;
  if (typeof id !== 'string') throw keyless(typename);
  return parseGlobalId(id).typename === typename ? loadNode(scope, id) : null;
}

function keyless(typename: string): Fault {
  const natural = kinds.get(typename)?.natural;
  return invalidInput(
    `A representation of ${typename} must have "id"${natural ? ` or "${natural.field}"` : ''} as a string.`,
  );
}
