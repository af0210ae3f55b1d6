import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tables } from './tables.ts';

const root = new URL('../', import.meta.url);
const pages = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'));
const files = ['README.md', ...pages.map((name) => `docs/${name}`)];
const marked = /<!-- table: ([a-z]+) -->\n[\s\S]*?<!-- end of table -->/g;

/** Everything between the two comments of a marker is replaced by the table of its name. */
const filled = (text: string): string =>
  text.replace(marked, (_all, name: string) => {
    const make = tables[name];
    if (!make) throw new Error(`There is no table "${name}"; there are ${Object.keys(tables)}.`);
    return `<!-- table: ${name} -->\n\n${make()}\n\n<!-- end of table -->`;
  });

// `--check` says which files are not current; without it they are made so.
for (const file of files) {
  const url = new URL(file, root);
  const before = readFileSync(url, 'utf8');
  const after = filled(before);
  if (before === after) continue;
  if (!process.argv.includes('--check')) writeFileSync(url, after);
  else {
    process.stderr.write(`${file} is not current: run "npm run docs" and commit it.\n`);
    process.exitCode = 1;
  }
}
