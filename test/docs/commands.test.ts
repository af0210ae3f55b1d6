import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isWebhookSecret } from '../../src/kernel/webhook-url.ts';
import { bareEnvironment } from '../support/process.ts';
import { readCommands, runByCi, runByHand, runElsewhere, started } from './commands.ts';
import { blocksOf, markdownFiles, readText, root } from './markdown.ts';

const run = promisify(execFile);
const commands = readCommands();

const help = 'npm start -- --help';
const simulation = 'npm run simulate -- --seed N';

/** A folder as a user has it after `npm ci`, where commands may write. */
let folder: string;
let env: Readonly<Record<string, string | undefined>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reseller-graph-commands-'));
  for (const name of ['package.json', 'node_modules', 'src', 'examples', 'test', 'scripts']) {
    await symlink(join(root, name), join(folder, name));
  }
  await copyFile(join(root, '.env.example'), join(folder, '.env'));
  await mkdir(join(folder, 'secrets'));
  await writeFile(join(folder, 'secrets/domain-api'), 'password');
  await writeFile(join(folder, 'secrets/api-key'), 'a-key-of-more-than-16-characters');
  env = {
    ...bareEnvironment,
    HOME: folder,
    ...{ PORT: '0', SANDBOX_PORT: '0', DATA_DIR: join(folder, 'data') },
  };
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the lines of a block, and returns their standard output. */
async function runBlock(block: string, more: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run('sh', ['-ec', block], { cwd: folder, env: { ...env, ...more } });
  return stdout;
}

const blockWith = (file: string, text: string): string => {
  const block = blocksOf(file, 'sh').find((one) => one.includes(text));
  if (block === undefined) throw new Error(`${file} has no block with "${text}".`);
  return block;
};

/** Starts a command in a process group of its own, and waits for the address that it prints. */
async function startCommand(command: string) {
  const adapted = command.replaceAll('/run/secrets', join(folder, 'secrets'));
  const child: ChildProcess = spawn('sh', ['-ec', adapted], {
    ...{ cwd: folder, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const read = (chunk: unknown) => {
    output += chunk;
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)[^:\d]/.exec(output) ?? [];
    if (url) resolve(url);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  void exited.then(() => reject(new Error(`It ended before it listened: ${output}`)));
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await exited;
  };
  return { url: await promise, stop };
}

test('every command of the documents is run by a test, by CI, or is listed as run by hand', () => {
  const blocks = [
    blockWith('docs/authentication.md', 'npm run keys'),
    blockWith('docs/authentication.md', 'openssl'),
    blockWith('docs/purchases.md', 'npm run purchases'),
    blockWith('docs/operating.md', 'npm run purchases'),
    blockWith('deploy/proxy/README.md', 'openssl'),
    blockWith('docs/webhooks.md', 'openssl'),
  ];
  const known = [
    ...[...started, help, simulation],
    ...[...Object.keys(runElsewhere), ...runByCi, ...runByHand],
  ];
  // Checked below: every path exists, and every npm script exists.
  const isChecked = (command: string) =>
    /^(LONG=1 )?npx vitest run /.test(command) || /^npx? \w+( \w+)?$/.test(command);
  const isInBlock = (command: string) => blocks.some((block) => block.includes(command));

  const missing = [...commands.keys()].filter(
    (command) => !known.includes(command) && !isChecked(command) && !isInBlock(command),
  );
  const stale = known.filter((command) => !commands.has(command));

  expect(commands.size).toBeGreaterThan(60);
  expect(missing).toEqual([]);
  expect(stale).toEqual([]);
  for (const file of Object.values(runElsewhere)) expect(existsSync(join(root, file))).toBe(true);
});

test('every command that starts Node uses npm or npx, which choose its version', () => {
  const direct = [...commands.keys()].filter((command) => /(^|&& |\s)node /.test(command));

  expect(direct.filter((command) => !command.includes('npx node '))).toEqual([]);
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
    .filter((path) => !path.startsWith('<'));

  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

// Before the tests of `npm run purchases`, which need a journal.
test.each(started)('%s starts a program that responds', async (command) => {
  const { url, stop } = await startCommand(command);
  try {
    const path = command === 'npm run sandbox' ? '/admin/clock' : '/health/live';
    expect((await fetch(`${url}${path}`)).status).toBe(200);
  } finally {
    await stop();
  }
});

test('the commands for keys make, list and revoke a key', async () => {
  const output = await runBlock(blockWith('docs/authentication.md', 'npm run keys'));

  expect(output).toContain('shop');
  expect(JSON.stringify(await readdir(join(folder, 'data')))).toContain('keys.json');
});

test('the commands for a digest print one', async () => {
  const output = await runBlock(blockWith('docs/authentication.md', 'openssl'));

  expect(output).toMatch(/^[0-9a-f]{64}/);
});

test('the command for the secret of a webhook prints a valid one', async () => {
  const output = await runBlock(blockWith('docs/webhooks.md', 'openssl'));

  expect(isWebhookSecret(output.trim())).toBe(true);
});

test('the commands of the stop switch stop and start purchases', async () => {
  const [stop = '', status = '', start = '', ofTenant = ''] = blockWith(
    'docs/purchases.md',
    'npm run purchases',
  ).split('\n');
  const loginOf = (username: string) => ({ username, password: `${username}-password` });
  const tenants = { default: loginOf('demo'), acme: loginOf('demo-two') };
  await writeFile(join(folder, 'tenants.json'), JSON.stringify(tenants));

  expect(await runBlock(`${stop}\n${status}`)).toContain('Invoices do not add up; ask Ada.');
  expect(await runBlock(`${start}\n${status}`)).not.toContain('Invoices');
  expect(await runBlock(ofTenant, { TENANTS_FILE: join(folder, 'tenants.json') })).toContain(
    'acme',
  );
});

test('the command of a backup writes the file', async () => {
  const [command = ''] = blocksOf('docs/operating.md', 'sh');

  await runBlock(command.replace('/backups/', `${folder}/`));

  expect(await readdir(folder)).toContain('journal-2026-11-22.sqlite');
});

test('the commands for the secrets of the proxy write every file', async () => {
  await runBlock(blockWith('deploy/proxy/README.md', 'openssl'));

  expect((await readdir(join(folder, 'deploy/secrets'))).sort()).toEqual(
    ['api-key', 'database-url', 'postgres-password', 'redis-url', 'valkey-conf'].sort(),
  );
});

test('the help has every setting', async () => {
  const output = await runBlock(help);

  expect(output).toContain('UPSTREAM_TIMEOUT_MS');
});

test('the command for one seed of the simulation prints its run', async () => {
  const output = await runBlock(simulation.replace('N', '7'));

  expect(output.split('\n').length).toBeGreaterThan(5);
});

test('commands are read from every document', () => {
  expect(markdownFiles.length).toBeGreaterThan(20);
});
