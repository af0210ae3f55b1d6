type AnyFunction = (...args: never[]) => unknown;

/** What replaces an exported function of a module. */
export interface Replacement {
  /** The path of the module in the repository. */
  readonly path: string;
  readonly name: string;
  /** Returns the new function, from the original one and its module. */
  // biome-ignore lint/suspicious/noExplicitAny: `createReplace` checks the types
  readonly wrap: (original: any, module: any) => unknown;
}

/** A typical bug of payment code, planted to test the simulation. */
export interface Mutant {
  readonly name: string;
  readonly replacements: readonly Replacement[];
}

/** Returns a function that makes a replacement. `Modules` has the type of each module by its path. */
export const createReplace =
  <Modules>() =>
  <Path extends keyof Modules & string, Name extends keyof Modules[Path] & string>(
    path: Path,
    name: Name,
    wrap: (original: Modules[Path][Name], module: Modules[Path]) => Modules[Path][Name],
  ): Replacement => ({ path, name, wrap });

/** The calls of each replaced function in this thread. */
const calls = new Map<string, number>();

/** The replaced functions that were never called: their bugs changed nothing. */
export const unusedReplacements = (): readonly string[] =>
  [...calls].filter(([, count]) => count === 0).map(([what]) => what);

function counted<Call extends AnyFunction>(what: string, call: Call): Call {
  calls.set(what, calls.get(what) ?? 0);
  return ((...args) => {
    calls.set(what, (calls.get(what) ?? 0) + 1);
    return call(...args);
  }) as Call;
}

/** The function in place of an exported one. @throws Error when the module has no such function. */
export function replacementOf(
  { path, name, wrap }: Replacement,
  module: Readonly<Record<string, unknown>>,
): AnyFunction {
  const original = module[name];
  if (typeof original !== 'function') {
    throw new Error(
      `A planted bug replaces the function "${name}" of ${path}, which does not export one.`,
    );
  }
  return counted(`${name} of ${path}`, wrap(original, module) as AnyFunction);
}

/** A copy of a dependency with other methods. @throws Error when it has no such method. */
export function withMethods<Dependency extends object>(
  name: string,
  dependency: Dependency,
  methods: Partial<Dependency>,
): Dependency {
  const changed = Object.entries(methods).map(([method, call]) => {
    if (!(method in dependency)) {
      throw new Error(`A planted bug replaces ${name}.${method}, which does not exist.`);
    }
    return [method, counted(`${name}.${method}`, call as AnyFunction)];
  });
  return { ...dependency, ...Object.fromEntries(changed) };
}
