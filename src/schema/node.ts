import { brandWithType, getTypeBrand } from '@pothos/core';
import { type AccessScope, forbidden, mayAny } from '../kernel/caller.ts';
import type { Scope } from '../modules/scope.ts';
import { builder } from './builder.ts';
import { globalId, parseGlobalId } from './global-id.ts';
import { withinLimit } from './list-limit.ts';
import { loadsBy, onlyHere } from './marks.ts';

export const NodeRef = builder.interfaceRef<object>('Node').implement({
  description: 'Anything that can be asked for again by its id.',
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

interface Found {
  readonly needed: readonly AccessScope[];
  readonly load: Load;
}

const loads = new Map<string, Found>();

/**
 * Lets `node` and `nodes` find a type, for callers with one of the scopes. Loads of one operation share its loaders, so
 * many keys are one batch.
 */
export const registerNode = (typename: string, needed: readonly AccessScope[], load: Load): void =>
  void loads.set(typename, { needed, load });

/** @throws Fault `FORBIDDEN` where the caller may see nothing of this type. */
export function assertMayFind({ caller }: Scope, typename: string): void {
  const needed = loads.get(typename)?.needed ?? [];
  if (needed.length > 0 && !mayAny(caller, needed)) throw forbidden(needed);
}

/**
 * What has this id; null for what is not there.
 *
 * @throws Fault `INVALID_INPUT` for text that is no id of this graph, `FORBIDDEN` as `assertMayFind`.
 */
export async function loadNode(scope: Scope, id: string): Promise<object | null> {
  const { typename, key } = parseGlobalId(id);
  assertMayFind(scope, typename);
  const value = await (loads.get(typename)?.load(scope, key) ?? null);
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
      'What has this id; null when the account has no such thing (any more). Needs what its type needs.',
    extensions: { supergraph: onlyHere },
    args: { id: t.arg.id({ required: true, description: 'From a field `id`.' }) },
    resolve: (_root, { id }, scope) => loadNode(scope, id),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [NodeRef],
    nullable: { list: false, items: true },
    description:
      'What has these ids, in their order, null in place of what is not there. Each needs what its type needs.',
    extensions: loadsBy('id', onlyHere),
    args: { ids: t.arg.idList({ required: true, description: 'At most 100.' }) },
    resolve: (_root, { ids }, scope) => withinLimit('ids', ids).map((id) => loadNode(scope, id)),
  }),
);
