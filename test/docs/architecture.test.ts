import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, root } from './markdown.ts';

/** The text of a page below a heading of the second level. */
function section(heading: string, page = 'architecture'): string {
  const [, body] = readText(`docs/internals/${page}.md`).split(`\n## ${heading}\n`);
  if (body === undefined) throw new Error(`docs/internals/${page}.md has no "${heading}".`);
  return body.split('\n## ')[0] ?? '';
}

/** The texts in backticks in the first cells of a table. */
const firstCells = (body: string): readonly string[] =>
  [...body.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

test('the tree has every folder of the source', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const shown = [...section('Folders').matchAll(/^ {2}([\w-]+)\/ /gm)].map(([, name]) => name);

  expect(shown.sort()).toEqual(folders.sort());
});

test('the dependencies have a reason each', () => {
  const { dependencies } = JSON.parse(readText('package.json'));

  expect([...firstCells(section('Dependencies', 'decisions'))].sort()).toEqual(
    Object.keys(dependencies).sort(),
  );
});

test('the table of server rules has every rule', () => {
  const shown = firstCells(section('Order of the server rules', 'runtime'));
  const rules = readdirSync(join(root, 'src/server/graphql/rules')).filter(
    (name) => !name.endsWith('.test.ts'),
  );

  expect([...shown].sort()).toEqual(rules.map((name) => name.replace('.ts', '')).sort());
});
