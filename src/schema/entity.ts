import { brandWithType } from '@pothos/core';
import type { CallCount, CostContext } from '../kernel/call-count.ts';
import { Fault } from '../kernel/faults.ts';
import type { Scope } from '../modules/scope.ts';
import { noEntities } from './cost.ts';
import { parseGlobalId } from './global-id.ts';
import { assertMayFind, costOfNode, loadNode } from './node.ts';

type Load = (scope: Scope, value: string) => object | null | Promise<object | null>;

/** Counts the upstream calls of loading an object by the key. */
type KeyCost = (count: CallCount, value: string) => CostContext;

interface NaturalKey {
  readonly field: string;
  readonly load: Load;
  readonly cost: KeyCost;
}

const naturalKeys = new Map<string, NaturalKey>();

/** Registers a second key of a node type besides `id`. `load` must use the request's loaders, so that keys are batched. */
export const registerKey = (typename: string, key: NaturalKey): void =>
  void naturalKeys.set(typename, key);

/** Counts the upstream calls of `loadEntity`. */
export function costOfEntity(
  count: CallCount,
  typename: string,
  keys: Readonly<Record<string, unknown>>,
): CostContext {
  const natural = naturalKeys.get(typename);
  const value = natural && keys[natural.field];
  if (natural && typeof value === 'string') return natural.cost(count, value);
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
    message: `A representation of ${typename} must have "id"${natural ? ` or "${natural.field}"` : ''} as a string.`,
  });
