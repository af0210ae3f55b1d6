import type { Fills, Key, Level } from './parts.ts';

/** Returns what creates the keys of one level. */
export const keysOf =
  <Context>(level: Level) =>
  <Part>(
    name: string,
    create: (context: Context) => Part,
    { isOfUpdate = false } = {},
  ): Key<Context, Part> => ({ name, level, create, isOfUpdate });

/** The `create` of a hook without a default. */
export const unfilled = (name: string) => (): never => {
  throw new Error(`No capability fills the hook "${name}".`);
};

/** The function of a capability that creates the part of a hook. */
export interface Fill {
  readonly hook: Key<never, unknown>;
  readonly create: (context: never) => unknown;
}

/** A hook is a key of one capability that another one fills. */
export const fill = <Context, Part>(
  hook: Key<Context, Part>,
  create: (context: Context) => Part,
): Fill => ({ hook, create });

/** @throws Error for a hook that is filled twice */
export function fillsOf(fills: readonly Fill[]): Fills {
  const byHook = new Map<unknown, Fill['create']>();
  for (const { hook, create } of fills) {
    if (byHook.has(hook)) throw new Error(`Two capabilities fill the hook "${hook.name}".`);
    byHook.set(hook, create);
  }
  return byHook;
}
