import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { sdlFiles, servedSchema } from '../src/app/graph.ts';
import { exitCodes, print, printErrors, readArguments } from '../src/console/program.ts';
import { features } from '../src/features/index.ts';
import type { Feature } from '../src/seam/feature.ts';
import { importsOfAll, readSources } from '../test/architecture/modules.ts';

const help = `Checks that each feature can be deleted.

Usage: npm run features -- check [NAME...] [--tests]

  NAME     The name of a feature. Default: all features.
  --tests  Also runs the remaining tests.

It copies the checkout without the folder of the feature, its line in src/features/index.ts, the files in \`with\` folders that
belong to it, the tests that need it, and the features that use it. Then it checks the types, compares the graph with the one that FEATURES leaves, starts
the gateway and sends one query. Exit code 1: a feature cannot be deleted.
`;

const list = 'src/features/index.ts';
const { positionals, values } = readArguments('features', help, {
  allowPositionals: true,
  options: { tests: { type: 'boolean', default: false } },
});
const [command, ...names] = positionals;
const chosen = features.filter(({ name }) => names.length === 0 || names.includes(name));
if (command !== 'check' || chosen.length < names.length) {
  printErrors('features', [
    command === 'check'
      ? `There are the features ${features.map(({ name }) => name).join(', ')}.`
      : 'The only command is "check".',
  ]);
  process.exit(exitCodes.misused);
}

let failed = 0;
for (const feature of chosen) {
  const problem = await check(feature);
  if (problem !== null) failed += 1;
  print(`${problem === null ? 'can be deleted' : 'FAILED'.padEnd(14)}  ${feature.name}`);
  if (problem !== null) print(problem);
}
process.exitCode = failed === 0 ? exitCodes.succeeded : exitCodes.failed;

/** Why the feature cannot be deleted; null when it can. */
async function check(feature: Feature): Promise<string | null> {
  const leftOut = withUsers(feature.name);
  const copy = mkdtempSync(join(tmpdir(), 'without-'));
  try {
    copyWithout(leftOut, copy);
    const run = (file: string, ...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(file, args, { cwd: copy, encoding: 'utf8' });
      return { status, text: `${stdout}${stderr}` };
    };
    const types = run('node_modules/.bin/tsc', '--noEmit');
    if (types.status !== 0) return types.text;
    const graph = run(process.execPath, 'src/cli/print-schema.ts', '--print', 'schema.graphql');
    if (graph.status !== 0) return graph.text;
    if (graph.text.trim() !== graphWithout(leftOut)) {
      return 'The graph differs from the one that FEATURES leaves.';
    }
    const problem = await problemOfStart(copy);
    if (problem !== null || !values.tests) return problem;
    const tests = run('node_modules/.bin/vitest', 'run');
    return tests.status === 0 ? null : tests.text.slice(-20_000);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The names of a feature and of those that use it, also through others. */
function withUsers(name: string): ReadonlySet<string> {
  const found = new Set([name]);
  // The list has a feature after those that it uses.
  for (const { name: user, uses } of features)
    if (uses.some((used) => found.has(used))) found.add(user);
  return found;
}

/** Whether the file exists without these features. */
function remains(path: string, leftOut: ReadonlySet<string>): boolean {
  const [, name = ''] = /^src\/features\/([\w-]+)\//.exec(path) ?? [];
  const [, partner = ''] = /\/with\/([\w-]+)\.ts$/.exec(path) ?? [];
  return !leftOut.has(name) && !leftOut.has(partner);
}

function copyWithout(leftOut: ReadonlySet<string>, copy: string): void {
  const tracked = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
  const paths = tracked.stdout.trim().split('\n').filter(existsSync);
  const tests = testsOf(
    paths.filter((path) => !remains(path, leftOut)),
    leftOut,
  );
  for (const path of paths) {
    if (!remains(path, leftOut) || tests.has(path)) continue;
    mkdirSync(join(copy, dirname(path)), { recursive: true });
    cpSync(path, join(copy, path));
    if (/^src\/features\/[\w-]+\/index\.ts$/.test(path)) removeJoins(join(copy, path), leftOut);
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  const lines = readFileSync(list, 'utf8').split('\n');
  const removed = new Set<string>();
  for (const line of lines) {
    const [, identifier, name = ''] = /^import \{ (\w+) \} from '\.\/([\w-]+)\//.exec(line) ?? [];
    if (identifier !== undefined && leftOut.has(name)) removed.add(line).add(`  ${identifier},`);
  }
  writeFileSync(join(copy, list), lines.filter((line) => !removed.has(line)).join('\n'));
}

/** Removes the lines that import `with/` files of features that are left out. */
function removeJoins(file: string, leftOut: ReadonlySet<string>): void {
  const isLeft = (line: string) => leftOut.has(/'\.\/with\/([\w-]+)\.ts'/.exec(line)?.[1] ?? '');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.filter((line) => !isLeft(line)).join('\n'));
}

/** The tests of other folders that import these files, also through other tests, and those that name a scope of these features. */
function testsOf(removed: readonly string[], leftOut: ReadonlySet<string>): ReadonlySet<string> {
  const isTest = (path: string) => /^(?:test|bench)\/|\.test\.ts$|\/test\//.test(path);
  const sources = readSources('src', 'test', 'bench');
  const imports = importsOfAll(sources).filter(({ from }) => isTest(from));
  const scopes = features
    .filter(({ name }) => leftOut.has(name))
    .flatMap((feature) => Object.keys(feature.scopes ?? {}));
  const naming = [...sources]
    .filter(([path, source]) => isTest(path) && scopes.some((one) => source.includes(`'${one}'`)))
    .map(([path]) => path);
  const found = new Set([...removed, ...naming]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { from, target } of imports) if (found.has(target ?? '')) found.add(from);
  }
  return found;
}

/** The graph of a gateway whose FEATURES leaves these out. `src/app/graph.test.ts` checks that it only has fewer lines. */
function graphWithout(leftOut: ReadonlySet<string>): string {
  const selected = features.filter(({ name }) => !leftOut.has(name));
  const serving = { featureValues: {}, introspection: 'caller' as const };
  const print = sdlFiles['schema.graphql'];
  return print ? print(servedSchema(serving, selected)).trim() : '';
}

/** Why the gateway does not start or respond; null when it does. */
async function problemOfStart(cwd: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'without-data-'));
  const gateway = spawn(process.execPath, ['src/main.ts', '--fast'], {
    cwd,
    env: { ...process.env, PORT: '0', SANDBOX_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(gateway, 'exit');
  const written: string[] = [];
  gateway.stdout.on('data', (chunk) => written.push(String(chunk)));
  try {
    for await (const line of createInterface(gateway.stderr)) {
      written.push(line);
      const url = /"url":"(http[^"]+)","msg":"listening"/.exec(line)?.[1];
      if (url !== undefined) return await problemOfQuery(url);
    }
    return `The gateway does not start.\n${written.join('\n')}`;
  } finally {
    gateway.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function problemOfQuery(url: string): Promise<string | null> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: '{ availability(name: "maple.com") { state } gateway { version } }',
    }),
  });
  const text = await response.text();
  const { errors } = JSON.parse(text);
  return response.ok && !errors ? null : `The gateway responds ${text}`;
}
