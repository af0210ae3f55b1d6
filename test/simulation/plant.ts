import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Edit, mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Plants a bug in every module that this thread loads from now on. */
export function plant(name: string): void {
  const mutant = mutants.find((one) => one.name === name);
  if (!mutant) throw new Error(`There is no mutant "${name}".`);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = url.startsWith('file:') ? fileURLToPath(url).slice(root.length) : '';
      const edits = mutant.edits.filter((edit) => edit.file === file);
      if (edits.length === 0 || !loaded.source) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: edits.reduce(mutate, source) };
    },
  });
}

/** @throws Error unless the text occurs exactly once, so that no bug is planted in the wrong place. */
export function mutate(source: string, { file, find, replace }: Edit): string {
  const found = source.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times: ${find}`);
  return source.replace(find, () => replace);
}
