import { brandWithType, getTypeBrand } from '@pothos/core';
import type { CallCount, Led } from '../kernel/call-count.ts';
import { type AccessScope, forbidden, mayAny } from '../kernel/caller.ts';
import type { Scope } from '../modules/scope.ts';
import { builder } from './builder.ts';
import { costs, ledTogether, nothing } from './cost.ts';
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

/** Finds things of one type by their keys; null for what is not there. */
type Load = (scope: Scope, key: string) => Promise<object | null>;

/** Counts what finding a thing takes, and tells what it leads to. */
type NodeCost = (count: CallCount, key: string) => Led;

/** A type whose things have ids. */
interface NodeKind {
  /** A caller with one of these scopes may find them. */
  readonly needed: readonly AccessScope[];
  readonly load: Load;
  readonly cost: NodeCost;
}

const kinds = new Map<string, NodeKind>();

/** Lets `node` and `nodes` find a type. Loads of one operation share its loaders, so many keys are one batch. */
export const registerNode = (typename: string, kind: NodeKind): void =>
  void kinds.set(typename, kind);

/** What an id of this type takes; nothing for what is no such id. */
export function costOfNode(count: CallCount, id: string, typename?: string): Led {
  const named = readGlobalId(id);
  if (!named || (typename !== undefined && typename !== named.typename)) return nothing;
  return kinds.get(named.typename)?.cost(count, named.key) ?? nothing;
}

/** @throws Fault `FORBIDDEN` where the caller may see nothing of this type. */
export function assertMayFind({ caller }: Scope, typename: string): void {
  const needed = kinds.get(typename)?.needed ?? [];
  if (needed.length > 0 && !mayAny(caller, needed)) throw forbidden(needed);
}

/**
 * The object with this id; null when it does not exist or the text is no id of this graph.
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

/** The `id` field of a node type, to be spread into its fields. */
export const nodeId =
  <Parent>(typename: string, key: (parent: Parent) => string) =>
  (parent: Parent): string =>
    globalId(typename, key(parent));

builder.queryField('node', (t) =>
  t.field({
    type: NodeRef,
    nullable: true,
    description:
      'The object with this id; null when the account does not have it, and for text that is no id of this graph. Requires the scopes of its type.',
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
        ledTogether(ids.map((id) => costOfNode(count, id))),
      ),
    },
    args: { ids: t.arg.idList({ required: true, description: 'At most 100.' }) },
    resolve: (_root, { ids }, scope) => withinLimit('ids', ids).map((id) => loadNode(scope, id)),
  }),
);
