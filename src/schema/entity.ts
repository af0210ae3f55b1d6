import { brandWithType } from '@pothos/core';
import type { CallCount, Led } from '../kernel/call-count.ts';
import { Fault } from '../kernel/faults.ts';
import type { Scope } from '../modules/scope.ts';
import { nothing } from './cost.ts';
import { parseGlobalId } from './global-id.ts';
import { assertMayFind, costOfNode, loadNode } from './node.ts';

type Load = (scope: Scope, value: string) => object | null | Promise<object | null>;

/** Counts what finding a thing takes, and tells what it leads to. */
type KeyCost = (count: CallCount, value: string) => Led;

interface NaturalKey {
  readonly field: string;
  readonly load: Load;
  readonly cost: KeyCost;
}

const naturalKeys = new Map<string, NaturalKey>();

/** Lets a node type be found by a field of its own too, besides its `id`. Loads share the loaders of the operation. */
export const registerKey = (typename: string, key: NaturalKey): void =>
  void naturalKeys.set(typename, key);

/** What it takes to find the node of a type that one of these keys names. */
export function costOfEntity(
  count: CallCount,
  typename: string,
  keys: Readonly<Record<string, unknown>>,
): Led {
  const natural = naturalKeys.get(typename);
  const value = natural && keys[natural.field];
  if (natural && typeof value === 'string') return natural.cost(count, value);
  return typeof keys.id === 'string' ? costOfNode(count, keys.id, typename) : nothing;
}

/**
 * The node of a type that one of these keys names; null for what is not there.
 *
 * @throws Fault `INVALID_INPUT` where none of them is a key of the type, or the one that is can't be read, `FORBIDDEN` as `loadNode`.
 */
export async function loadEntity(
  scope: Scope,
  typename: string,
  keys: Readonly<Record<string, unknown>>,
): Promise<object | null> {
  assertMayFind(scope, typename);
  const natural = naturalKeys.get(typename);
  const value = natural && keys[natural.field];
  if (natural && typeof value === 'string') {
    const found = await natural.load(scope, value);
    if (found) brandWithType(found, typename as never);
    return found;
  }
  const { id } = keys;
  if (typeof id !== 'string') throw keyless(typename, natural);
  return parseGlobalId(id).typename === typename ? loadNode(scope, id) : null;
}

const keyless = (typename: string, natural: NaturalKey | undefined) =>
  new Fault('INVALID_INPUT', {
    message: `A ${typename} is named by its "id"${natural ? ` or its "${natural.field}"` : ''}, as a string.`,
  });
