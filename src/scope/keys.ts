import type { Scope } from '../modules/scope.ts';
import type { Key } from './parts.ts';

/** A part that each request creates at its first use, with `scope.use(key)`. */
export const perRequest = <Part>(
  name: string,
  create: (scope: Scope) => Part,
  { isOfUpdate = false } = {},
): Key<Scope, Part> => ({ name, create, isOfUpdate });

/** A part of each request that another capability creates. */
export interface Hook<Part> extends Key<Scope, Part> {
  /** @throws Error when another capability has filled it. */
  fill(create: (scope: Scope) => Part): void;
}

export function hook<Part>(name: string, options?: { readonly isOfUpdate?: boolean }): Hook<Part> {
  let filled: ((scope: Scope) => Part) | null = null;
  const create = (scope: Scope): Part => {
    if (filled) return filled(scope);
    throw new Error(`No capability fills the hook "${name}".`);
  };
  return {
    ...perRequest(name, create, options),
    fill(next) {
      if (filled) throw new Error(`Two capabilities fill the hook "${name}".`);
      filled = next;
    },
  };
}
