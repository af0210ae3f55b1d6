import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { mutants } from './mutants.ts';
import { type Replacement, replacementOf } from './replacements.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const original = '?original';

let planted: readonly Replacement[] = [];

/** Plants a bug in every module that this thread loads from now on. */
export function plant(name: string): void {
  const mutant = mutants.find((one) => one.name === name);
  if (!mutant) throw new Error(`There is no mutant "${name}".`);
  planted = mutant.replacements;
  registerHooks({
    load(url, context, nextLoad) {
      const isFile = url.startsWith('file:') && !url.endsWith(original);
      const path = isFile ? fileURLToPath(url).slice(root.length) : '';
      const names = planted.filter((one) => one.path === path).map((one) => one.name);
      if (names.length === 0) return nextLoad(url, context);
      return { format: 'module', shortCircuit: true, source: wrapperOf(url, path, names) };
    },
  });
}

/** A module that exports the same as the one at `url`, with other functions under these names. */
const wrapperOf = (url: string, path: string, names: readonly string[]): string =>
  [
    `import * as original from ${JSON.stringify(url + original)};`,
    `import { plantedFunction } from ${JSON.stringify(import.meta.url)};`,
    `export * from ${JSON.stringify(url + original)};`,
    ...names.map(
      (name) =>
        `export const ${name} = plantedFunction(${JSON.stringify(path)}, '${name}', original);`,
    ),
  ].join('\n');

/**
 * For the modules that `plant` loads.
 *
 * @public
 */
export function plantedFunction(path: string, name: string, module: Record<string, unknown>) {
  const replacement = planted.find((one) => one.path === path && one.name === name);
  if (!replacement) throw new Error(`No planted bug replaces "${name}" of ${path}.`);
  return replacementOf(replacement, module);
}
