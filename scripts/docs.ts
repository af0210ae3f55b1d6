import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../src/console/program.ts';
import { envExample } from './env-example.ts';
import { tables } from './tables.ts';

const help = `Writes .env.example and the tables of the documents from the code.

Usage: npm run docs -- [--check]

  --check  Writes nothing; fails when a file is not current.
`;
const { values } = readArguments('docs', help, {
  options: { check: { type: 'boolean', default: false } },
});

const root = new URL('../', import.meta.url);
const pages = globSync('docs/**/*.md', { cwd: root.pathname });
const files = ['.env.example', 'README.md', ...pages];
const marked = /<!-- table: ([a-z]+) -->\n[\s\S]*?<!-- end of table -->/g;

/** Replaces the text between the two markers by the table of that name. */
const filled = (text: string): string =>
  text.replace(marked, (_all, name: string) => {
    const make = tables[name];
    if (!make) throw new Error(`There is no table "${name}"; there are ${Object.keys(tables)}.`);
    return `<!-- table: ${name} -->\n\n${make()}\n\n<!-- end of table -->`;
  });

for (const file of files) {
  const url = new URL(file, root);
  const before = readFileSync(url, 'utf8');
  const after = file === '.env.example' ? envExample() : filled(before);
  if (before === after) continue;
  if (!values.check) writeFileSync(url, after);
  else {
    process.stderr.write(`${file} is not current: run "npm run docs" and commit it.\n`);
    process.exitCode = 1;
  }
}
