import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import {
  developing,
  inPackage,
  installing,
  isOfTests,
  long,
  notRun,
  operating,
  partOf,
  readCommands,
} from './commands.ts';
import { markdownFiles, readText, root } from './markdown.ts';

// `npm run commands`, a step of `.ci/long`, runs the commands. These tests check that it knows each of them.

const commands = readCommands();

/** What the package's users write for the commands of a clone. */
const packaged = Object.keys(operating).flatMap((command) => inPackage(command) ?? []);

test('every command of the documents is run, is part of another one, or has a reason not to run', () => {
  const known = [installing, operating, developing, long, partOf, notRun].flatMap(Object.keys);

  const unknown = [...commands.keys()].filter(
    (command) => !known.includes(command) && !packaged.includes(command) && !isOfTests(command),
  );

  expect(commands.size).toBeGreaterThan(90);
  expect(unknown).toEqual([]);
  expect(known.filter((command) => !commands.has(command))).toEqual([]);
  expect(known.filter((command, at) => known.indexOf(command) !== at)).toEqual([]);
});

test('most commands of the documents are run', () => {
  expect(Object.keys(notRun).length).toBeLessThan(17);
  expect(packaged.length).toBeGreaterThan(20);
});

test('a command that is part of another one is in it', () => {
  const { scripts } = JSON.parse(readText('package.json'));
  for (const [command, whole] of Object.entries(partOf)) {
    const text = whole.startsWith('.ci/') ? readText(whole).replaceAll(' --silent', '') : whole;
    // `npm run check` is a list of commands.
    const parts = command === 'npm run check' ? scripts.check.split(' && ') : [command];
    for (const one of parts) expect(text).toContain(one.replace(/ -- .*/, ''));
  }
});

test.each([
  ['npm start', 'npx reseller-graph start'],
  ['npm start -- --reset', 'npx reseller-graph start --reset'],
  ['npm run mcp --silent', 'npx reseller-graph mcp'],
  ['npm run keys -- list', 'npx reseller-graph keys list'],
  ['A=1 B_FILE=/x npm run sandbox', 'A=1 B_FILE=/x npx reseller-graph sandbox'],
  ['npm run keys -- --help', 'npx reseller-graph keys --help'],
  ['npm run mcp', null],
  ['npm run dev', null],
  ['npm test', null],
  ['npm ci && npm start', null],
])('%s is with the package: %s', (command, expected) => {
  expect(inPackage(command)).toBe(expected);
});

test('every command that starts Node uses npm or npx, which choose its version', () => {
  const direct = [...commands.keys()].filter((command) => /(^|&& |\s)node /.test(command));
  // The image has its own Node, and no npx.
  const isOfImage = (command: string) => command.startsWith('node dist/');

  expect(direct.filter((one) => !one.includes('npx node ') && !isOfImage(one))).toEqual([]);
});

test('every npm script runs a program that exists', () => {
  const { scripts } = JSON.parse(readText('package.json')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const programs = Object.values(scripts).flatMap((script) =>
    [...script.matchAll(/[\w/.-]+\.(?:ts|mjs)\b/g)].map(([path]) => path),
  );

  expect(programs.length).toBeGreaterThan(10);
  expect(programs.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every path of a test command exists', () => {
  const paths = [...commands.keys()]
    .filter((command) => /npx vitest run /.test(command))
    .flatMap((command) => command.replace(/^.*npx vitest run /, '').split(' '))
    .filter((path) => !/^<|^--/.test(path));

  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** Runs a command in a new folder, which it returns with the output. */
async function runInFolder(command: string) {
  const folder = await mkdtemp(join(tmpdir(), 'reseller-graph-commands-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd: folder });
  return { folder, stdout };
}

test('the command for the secret of a webhook prints a valid one', async () => {
  const command = [...commands.keys()].find((one) => one.includes('whsec_$(openssl')) ?? '';

  const { stdout } = await runInFolder(command);

  expect(stdout.trim()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('the commands for the secrets of the proxy write every file', async () => {
  const { text = '' } = commands.get('mkdir -p deploy/secrets && cd deploy/secrets') ?? {};

  const { folder } = await runInFolder(text);

  expect((await readdir(join(folder, 'deploy/secrets'))).sort()).toEqual([
    'api-key',
    'database-url',
    'postgres-password',
  ]);
});

test('commands are read from every document', () => {
  expect(markdownFiles.length).toBeGreaterThan(20);
});
