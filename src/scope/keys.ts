import type { Key, Level } from './parts.ts';

/** Returns what creates the keys of one level. */
export const keysOf =
  <Context>(level: Level) =>
  <Part>(
    name: string,
    create: (context: Context) => Part,
    { isOfUpdate = false } = {},
  ): Key<Context, Part> => ({ name, level, create, isOfUpdate });

/** The key of a part that another capability creates. */
export interface Hook<Context, Part> extends Key<Context, Part> {
  /** @throws Error when another capability has filled it. */
  fill(create: (context: Context) => Part): void;
}

/** `create` creates the part when no capability fills the hook. */
export function hookOf<Context, Part, Named extends Key<Context, Part>>(
  key: Named,
): Named & Hook<Context, Part> {
  let filled: Hook<Context, Part>['create'] | undefined;
  return {
    ...key,
    create: (context) => (filled ?? key.create)(context),
    fill(create) {
      if (filled) throw new Error(`Two capabilities fill the hook "${key.name}".`);
      filled = create;
    },
  };
}

/** Of a hook without a default. */
export const unfilled = (name: string) => (): never => {
  throw new Error(`No capability fills the hook "${name}".`);
};
