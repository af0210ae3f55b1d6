import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const run = new URL('../../src/cli/run.mjs', import.meta.url).pathname;

/** Runs a program with another reported Node version. */
function runOn(version: string, ...args: readonly string[]) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  return spawnSync(process.execPath, [...nodeArgs, run, ...args], { encoding: 'utf8' });
}

test.each(isLong ? ['20.20.2', '24.14.9', '25.9.0'] : ['24.14.9'])(
  'Node %s is refused with one sentence',
  { tags: ['R2'] },
  (version) => {
    const { status, stdout, stderr } = runOn(version, 'src/main');

    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      new RegExp(`^reseller-graph: Node ${version} cannot run this gateway; .*nodejs\\.org\\.\\n$`),
    );
  },
);

test('Node 24.15 and 26 run the program with its arguments', { tags: ['R2'] }, () => {
  for (const version of isLong ? ['24.15.0', '26.0.0'] : ['26.0.0']) {
    const { status, stdout } = runOn(version, 'src/main', '--help');

    expect(status).toBe(0);
    expect(stdout).toContain('Usage: npm start');
  }
  expect(JSON.parse(read('package.json')).engines.node).toBe('^24.15.0 || >=26.0.0');
});

const isInstalled = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

test('npm ci installs the Node of the scripts on Linux', { tags: ['R2'] }, ({ skip }) => {
  skip(!isInstalled, 'only on Linux with x64 or arm64');
  const node = new URL('../../node_modules/.bin/node', import.meta.url).pathname;

  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });

  // `.ci/versions` installs another one than that of the lock file, which is that of `.nvmrc`.
  const { version } = JSON.parse(read(`node_modules/node-linux-${process.arch}/package.json`));
  expect(stdout).toBe(`v${version}\n`);
});

test.each([
  'package.json',
  '.env.example',
  'docs/settings.md',
  'docs/operating.md',
  'docs/observability.md',
  'CONTRIBUTING.md',
  'README.md',
])('%s has no command without the version check', (file) => {
  expect(
    read(file).match(/node [^"`\n]*src\/(?:sandbox\/)?(?:main|cli\/purchases|cli\/keys)\.ts/g),
  ).toBeNull();
});
