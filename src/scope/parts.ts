/** The context in which a part is created, and for which it lives. */
export type Level = 'TENANT' | 'REQUEST' | 'READS';

/** Names a part of a context, such as a service of a request, and creates it. */
export interface Key<Context, Part> {
  readonly name: string;
  readonly level: Level;
  readonly create: (context: Context) => Part;
  /** Each update of a subscription has a part of its own. */
  readonly isOfUpdate: boolean;
  /** Whether several capabilities may fill it. Its part is a list, and each adds its own members. */
  readonly isShared?: boolean;
}

/** The functions that create parts of hooks, by the hook. */
export type Fills = ReadonlyMap<unknown, (context: never) => unknown>;

/** The parts of one context. Each is created at its first use. */
export class Parts<Context> {
  readonly #context: Context;
  readonly #fills: Fills;
  readonly #created = new Map<Key<Context, unknown>, unknown>();
  /** The parts that are being created, each for the one before. */
  readonly #begun: Key<Context, unknown>[] = [];

  constructor(context: Context, fills: Fills = new Map()) {
    this.#context = context;
    this.#fills = fills;
  }

  /** @throws Error when the part needs itself */
  use<Part>(key: Key<Context, Part>): Part {
    const created = this.#created.get(key);
    if (created !== undefined) return created as Part;
    if (this.#begun.includes(key)) {
      const names = [...this.#begun, key].map(({ name }) => name);
      throw new Error(`These parts need each other: ${names.join(' > ')}.`);
    }
    this.#begun.push(key);
    try {
      const create = (this.#fills.get(key) as typeof key.create | undefined) ?? key.create;
      const part = create(this.#context);
      this.#created.set(key, part);
      return part;
    } finally {
      this.#begun.pop();
    }
  }

  /** Each part after those that it needs. */
  entries(): Iterable<[Key<Context, unknown>, unknown]> {
    return this.#created.entries();
  }

  /** Discards all parts; the next use creates them again. */
  clear(): void {
    this.#created.clear();
  }

  /** Discards the parts of an update of a subscription; the next one creates its own. */
  beginUpdate(): void {
    for (const key of this.#created.keys()) if (key.isOfUpdate) this.#created.delete(key);
  }
}

/** Returns what creates the keys of one level. */
export const keysOf =
  <Context>(level: Level) =>
  <Part>(
    name: string,
    create: (context: Context) => Part,
    { isOfUpdate = false, isShared = false } = {},
  ): Key<Context, Part> => ({ name, level, create, isOfUpdate, isShared });

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

/** @throws Error for a hook that is filled twice, unless it is shared */
export function fillsOf(fills: readonly Fill[]): Fills {
  const byHook = new Map<unknown, Fill['create']>();
  for (const { hook, create } of fills) {
    const before = byHook.get(hook);
    if (before && !hook.isShared) {
      throw new Error(`Two capabilities fill the hook "${hook.name}".`);
    }
    byHook.set(hook, before ? (context) => [before(context), create(context)].flat() : create);
  }
  return byHook;
}
