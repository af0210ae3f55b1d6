import { brandWithType, getTypeBrand } from '@pothos/core';
import type { CallCount, CostContext } from '../kernel/call-count.ts';
import type { AccessScope } from '../kernel/caller.ts';
import type { Scope } from '../modules/scope.ts';
import { assertMay } from './access.ts';
import { builder } from './builder.ts';
import { costs, mergeContexts, noEntities } from './cost.ts';
import { globalId, readGlobalId } from './global-id.ts';
import { withinLimit } from './list-limit.ts';
import { loadsBy, onlyHere } from './marks.ts';

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

/** Loads an object of one type by its key; null when it does not exist. */
type Load = (scope: Scope, key: string) => Promise<object | null>;

/** Counts the upstream calls of loading an object by its key. */
type NodeCost = (count: CallCount, key: string) => CostContext;

/** How the objects of a node type are loaded. */
interface NodeKind {
  /** The caller needs one of these scopes. */
  readonly needed: readonly AccessScope[];
  readonly load: Load;
  readonly cost: NodeCost;
}

const kinds = new Map<string, NodeKind>();

/** Registers a type for `node`, `nodes` and `_entities`. `load` must use the request's loaders, so that keys are batched. */
export const registerNode = (typename: string, kind: NodeKind): void =>
  void kinds.set(typename, kind);

/** Counts the upstream calls of loading an id; none for an id of another type or a malformed one. */
export function costOfNode(count: CallCount, id: string, typename?: string): CostContext {
  const named = readGlobalId(id);
  if (!named || (typename !== undefined && typename !== named.typename)) return noEntities;
  return kinds.get(named.typename)?.cost(count, named.key) ?? noEntities;
}

/** @throws Fault `FORBIDDEN` when the caller has none of the scopes of the type. */
export function assertMayFind({ caller }: Scope, typename: string): void {
  assertMay(caller, kinds.get(typename)?.needed ?? []);
}

/**
 * The object with this id; null when it does not exist or the id is malformed.
 *
 * @throws Fault `FORBIDDEN` as `assertMayFind`.
 */
export async function loadNode(scope: Scope, id: string): Promise<object | null> {
  const named = readGlobalId(id);
  if (!named) return null;
  const { typename, key } = named;
  assertMayFind(scope, typename);
  const value = await (kinds.get(typename)?.load(scope, key) ?? null);
  if (value) brandWithType(value, typename as never);
  return value;
}

/** The resolver of the `id` field of a node type. */
export const nodeId =
  <Parent>(typename: string, key: (parent: Parent) => string) =>
  (parent: Parent): string =>
    globalId(typename, key(parent));

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
    resolve: (_root, { id }, scope) => loadNode(scope, id),
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
    resolve: (_root, { ids }, scope) => withinLimit('ids', ids).map((id) => loadNode(scope, id)),
  }),
);
