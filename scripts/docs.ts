import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../src/console/program.ts';
import { envExample } from './env-example.ts';
import { pageText, productPages } from './tables.ts';
import { testPages } from './test-tables.ts';

const help = `Writes .env.example, and the tables of docs/reference: settings, errors, limits, costs and others.

Usage: npm run docs -- [--check]

  --check  Makes them and writes nothing; fails when .env.example is not current.
`;
const { values } = readArguments('docs', help, {
  options: { check: { type: 'boolean', default: false } },
});

const root = new URL('../', import.meta.url);
const folder = new URL('docs/reference/', root);
const pages = Object.entries({ ...productPages, ...testPages }).map(
  ([name, page]) => [new URL(`${name}.md`, folder), pageText(page)] as const,
);
const example = new URL('.env.example', root);

if (!values.check) {
  mkdirSync(folder, { recursive: true });
  for (const [url, text] of [...pages, [example, envExample()] as const]) writeFileSync(url, text);
} else if (readFileSync(example, 'utf8') !== envExample()) {
  process.stderr.write('.env.example is not current: run "npm run docs" and commit it.\n');
  process.exitCode = 1;
}
