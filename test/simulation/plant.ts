import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Edit, mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Loads the product with a bug in it, for this thread and from here on. */
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

/** @throws Error when the text is not there exactly once, so that no bug is planted beside what it was meant for. */
export function mutate(source: string, { file, find, replace }: Edit): string {
  const found = source.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times: ${find}`);
  return source.replace(find, () => replace);
}
