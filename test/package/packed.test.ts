import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { schema, sdlFiles } from '../../src/app/graph.ts';
import { commandNames } from '../../src/package/command-line.ts';
import { anchorsOf, blocksOf, linksOf, markdownFiles, readText, root } from '../docs/markdown.ts';
import { freePort } from '../support/free-port.ts';
import { whyNotShort } from '../support/long.ts';
import { because } from '../support/skipped.ts';

const run = promisify(execFile);

/** A folder in which the package is installed, and nothing else. */
let folder: string;
let tarball: string;
let env: Readonly<Record<string, string | undefined>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reseller-graph-packed-'));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  env = { PATH, NODE_COMPILE_CACHE, HOME: join(folder, 'home') };
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  // The bundle is current: Vitest has built it before the tests.
  await run(process.execPath, [join(root, 'scripts/package.ts')]);
  await run('npm', ['pack', join(root, 'dist'), '--pack-destination', folder], { env, cwd: empty });
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.tgz'));
  tarball = join(folder, name);
  writeFileSync(join(empty, 'package.json'), '{ "private": true, "type": "module" }');
  // Without a network: there is nothing else to fetch.
  await run('npm', ['install', '--offline', tarball], { env, cwd: empty });
  folder = empty;
});
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const settings = { PORT: '0', SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none' };

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the folder to its end. */
async function runIn(command: string, args: readonly string[], more = {}): Promise<Ended> {
  try {
    const ended = await run(command, args, { cwd: folder, env: { ...env, ...settings, ...more } });
    return { code: 0, ...ended };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as ExecFileException;
    return { code: Number(code), stdout, stderr };
  }
}

/** Packages that an example imports. */
function linkPackages(...names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, 'node_modules', name);
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link);
  }
}

const npx = (...args: readonly string[]) =>
  runIn('npx', ['--offline', 'reseller-graph', ...args], {
    npm_config_loglevel: 'error',
    DATA_DIR: 'of-commands',
  });

/** Runs a module that imports the package, and returns its output, which is JSON. */
async function runModule(text: string, more = {}): Promise<unknown> {
  const ended = await runIn(process.execPath, ['--input-type=module', '--eval', text], more);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return JSON.parse(ended.stdout);
}

/** Starts a command in a process group of its own, and returns the first address that it prints. */
async function start(...args: readonly string[]): Promise<string> {
  const child = spawn(join(folder, 'node_modules/.bin/reseller-graph'), args, {
    ...{ cwd: folder, env: { ...env, ...settings } },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
  for await (const chunk of child.stdout) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
    if (url) return url;
  }
  throw new Error('It ended before it listened.');
}

test('the package has what runs, its documents and nothing else, below 3.5 MB', async () => {
  const { stdout } = await run('tar', ['tzf', tarball]);
  const names = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
  const kinds =
    /^(?:[\w.-]+\.m?js|built\/[\w.-]+\.(?:br|json|md)|\w+\.graphql|(?:index|settings)\.d\.ts|client\/[\w-]+\.d\.ts|style\.css|icon\.svg|docs\/(?:reference\/)?[\w-]+\.md|(?:licenses|llms|llms-full)\.txt|LICENSE|README\.md|package\.json)$/;

  expect(names.filter((name) => !kinds.test(name))).toEqual([]);
  for (const name of ['index.js', 'index.d.ts', 'reseller-graph.js', 'schema.graphql', 'LICENSE']) {
    expect(names).toContain(name);
  }
  expect(statSync(tarball).size).toBeLessThan(3_500_000);
});

test('it has no dependencies', { tags: ['R22'] }, async () => {
  const manifest = JSON.parse(await runAndRead('node_modules/reseller-graph/package.json'));

  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(
    ['reseller-graph'],
  );
});

test.skipIf(whyNotShort)('a registry accepts it', { tags: ['R22'] }, async () => {
  const { version } = JSON.parse(await runAndRead('node_modules/reseller-graph/package.json'));
  // Without a network: the dry run checks the package and sends nothing.
  const args = ['publish', tarball, '--dry-run', '--offline', '--access', 'public'];
  const { code, stdout } = await runIn('npm', args);

  expect([code, stdout]).toEqual([0, `+ reseller-graph@${version}\n`]);
});

const runAndRead = async (path: string) => (await run('cat', [join(folder, path)])).stdout;

test('its command starts a gateway that responds to the first query of the README, and serves the documents', {
  tags: ['R22'],
}, async () => {
  const url = await start('--fast');
  const [document = ''] = blocksOf('README.md', 'graphql');
  const shown = JSON.parse(blocksOf('README.md', 'json')[0] ?? '');

  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document }),
  });

  expect(await response.json()).toMatchObject({ data: shown.data });
  expect(await (await fetch(`${url}/llms.txt`)).text()).toContain('(docs/purchases.md)');
});

test('every relative link of its documents leads to a file of the package and a heading of it', async () => {
  const packed = join(folder, 'node_modules/reseller-graph');
  const texts = new Map(
    globSync(['**/*.md', 'llms*.txt', '*.graphql', 'LICENSE'], {
      cwd: packed,
      exclude: ['built/**'],
    }).map((path) => [path, readFileSync(join(packed, path), 'utf8')]),
  );
  const broken = [...texts].flatMap(([path, text]) =>
    linksOf(text).filter((link) => {
      const [file = '', fragment] = link.split('#');
      const target = texts.get(file === '' ? path : posix.join(posix.dirname(path), file));
      return (
        target === undefined || (fragment !== undefined && !anchorsOf(target).includes(fragment))
      );
    }),
  );

  expect(broken).toEqual([]);
  expect(linksOf(texts.get('README.md') ?? '')).toContain('docs/embedding.md#the-command');
  for (const file of ['llms.txt', 'docs/reference/Domain.md'])
    expect([...texts.keys()]).toContain(file);
});

/** The programs of both READMEs: those that listen have the library, the others are clients of a gateway at port 4000. */
const programs = ['README.md', 'src/package/README.md'].flatMap((file) => blocksOf(file, 'js'));
const isServer = (program: string) => program.includes('.listen(3000');

test.skipIf(whyNotShort)('the clients in the READMEs read the sandbox', async () => {
  const clients = programs.filter((program) => !isServer(program));
  const url = await start('--fast');

  const all = clients.map((text) => {
    const program = text.replace('http://127.0.0.1:4000', url);
    return runIn(process.execPath, ['--input-type=module', '--eval', program]);
  });

  const data = /reseller-demo\.com|Demo Reseller/;
  expect(await Promise.all(all)).toEqual(
    clients.map(() => ({ code: 0, stdout: expect.stringMatching(data), stderr: '' })),
  );
  expect(clients.length).toBe(3);
});

/** Runs a program that serves the graph at port 3000, at another port, until it has responded. */
async function expectToServe(program: string): Promise<void> {
  const port = await freePort();
  const text = program
    .replace('3000', String(port))
    .replace('SANDBOX_PORT: 0', 'SANDBOX_PORT: 0, LOG_LEVEL: "silent"');
  const host = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  const send = () =>
    fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ reseller { name } }' }),
    }).then(
      (response) => response.json(),
      () => null,
    );

  await expect.poll(send).toMatchObject({ data: { reseller: { name: 'Demo Reseller' } } });
}

test.skipIf(whyNotShort)(
  'the servers in the READMEs serve the graph',
  { tags: ['R22'] },
  async () => {
    const servers = programs.filter(isServer);

    expect(servers.length).toBe(2);
    for (const server of new Set(servers)) await expectToServe(server);
  },
);

test.skipIf(whyNotShort)(
  'a clone cannot be packed itself, and the sentence names the command',
  async () => {
    const ended = await runIn('npm', ['pack', root, '--loglevel=silent']);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('npm run package');
  },
);

describe.skipIf(whyNotShort)('the command', () => {
  test('prints its help and the help of each command, with its own name', async () => {
    expect((await npx('--help')).stdout).toContain('Usage: reseller-graph [command] [options]');
    for (const name of commandNames) {
      const { code, stdout, stderr } = await npx(name, '--help');

      expect([code, stderr], name).toEqual([0, '']);
      expect(stdout).toContain(`Usage: reseller-graph ${name} `);
      expect(stdout).not.toContain('npm ');
    }
  });

  test('refuses an unknown command with a suggestion', async () => {
    expect(await npx('sandbx')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'reseller-graph: There is no command "sandbx"; did you mean sandbox?\n',
    });
  });

  test('creates and lists a key', async () => {
    const made = await npx('keys', 'make', 'shop', '--scopes', 'domains:check');

    expect(made.stdout).toMatch(/^rg_/);
    expect((await npx('keys', 'list')).stdout).toContain('shop');
  });

  test('starts a sandbox alone', async () => {
    const url = await start('sandbox', '--fast');

    expect((await fetch(`${url}/admin/clock`)).status).toBe(200);
  });

  test('prints no stack trace when its reader reads one line', async () => {
    const command = 'set -o pipefail; node_modules/.bin/reseller-graph start --help | head -1';
    const ended = await runIn('bash', ['-c', command]);

    expect(ended).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'reseller-graph: one GraphQL graph over the two APIs of a domain reseller.\n',
    });
  });
});

const clientProgram = (url: string) => `
  import { createClient } from 'reseller-graph/client';
  const client = createClient({ url: '${url}/graphql' });
  const [{ name }] = await client.availability.check(['example.com']);
  console.log(name);`;

test('the client is one file without imports, which a browser can load, below 12 KB', async () => {
  const text = await runAndRead('node_modules/reseller-graph/client.js');

  expect(text).not.toMatch(/^import |\bimport\(|\brequire\(|node:|\bprocess\./m);
  const bundle = await rolldown({ input: join(folder, 'node_modules/reseller-graph/client.js') });
  const { output } = await bundle.generate({ minify: true });
  expect(gzipSync(output[0].code).length).toBeLessThan(12 * 1024);
});

test.skipIf(whyNotShort)('the client runs the example of the documents', async () => {
  const [example = ''] = blocksOf('docs/clients.md', 'js');
  const url = await start('--fast');
  const text = example.replace('http://127.0.0.1:4000', url);
  const ended = await runIn(process.execPath, ['--input-type=module', '--eval', text]);
  const lines = ended.stdout.trim().split('\n');

  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(lines.slice(0, 2)).toEqual(['AVAILABLE 14.9900', 'SUCCEEDED']);
  expect(lines.length).toBeGreaterThan(100);
});

/** A Node that is too old, where the machine has one. */
const oldNode = ['/usr/local/bin/node', '/usr/bin/node'].find((path) => existsSync(path));
const versionOf = async (path: string) => (await run(path, ['--version'])).stdout.trim();
const isOld = oldNode !== undefined && /^v(?:18|20|22)\./.test(await versionOf(oldNode));

const whyNotOld = isOld ? null : 'install Node 22 or older in /usr/local/bin or /usr/bin';

describe.skipIf(whyNotOld)(`with a Node that is too old${because(whyNotOld)}`, () => {
  test('the command prints one sentence', async () => {
    const ended = await runIn(oldNode ?? '', ['node_modules/reseller-graph/reseller-graph.js']);

    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(/^reseller-graph: Node [\d.]+ cannot run this gateway; .*\.\n$/);
  });

  test.skipIf(whyNotShort)('the client works, which needs no certain Node', async () => {
    const url = await start('--fast');
    const ended = await runIn(oldNode ?? '', ['--input-type=module', '--eval', clientProgram(url)]);

    expect(ended).toEqual({ code: 0, stderr: '', stdout: 'example.com\n' });
  });

  test('the library rejects with the sentence', async () => {
    const text = `import { createGateway } from 'reseller-graph';
      await createGateway().catch((error) => process.stdout.write(error.message));`;
    const ended = await runIn(oldNode ?? '', ['--input-type=module', '--eval', text]);

    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^Node [\d.]+ cannot run this gateway; .*\.$/);
  });
});

describe.skipIf(whyNotShort)('the library', () => {
  // The packages of the examples.
  beforeAll(() => linkPackages('fastify', 'graphql', '@graphql-tools'));

  test('reads no environment, opens no port, and leaves signals and the exit to its host', async () => {
    const text = `
      import { createGateway } from 'reseller-graph';
      const signals = () => ['SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name));
      const ports = () => process.getActiveResourcesInfo().filter((name) => /TCPServer/.test(name));
      const before = signals();
      const gateway = await createGateway({
        UPSTREAM: 'live', DOMAIN_API_URL: 'https://registrar.invalid/domain-api', API_KEY: 'a-key-of-sixteen-characters',
        DOMAIN_API_USERNAME: 'a', DOMAIN_API_PASSWORD: 'b', DATA_DIR: 'live', PORTFOLIO_READS_PER_MINUTE: 0,
        EVENTS_INTERVAL_SECONDS: 0, LOG_LEVEL: 'silent',
      });
      const response = await gateway.handle(new Request('http://localhost/health/live'));
      const seen = { ports: ports(), added: signals().map((count, at) => count - before[at]), status: response.status };
      process.stdout.write(JSON.stringify({ ...seen, isClean: await gateway.close() }));`;

    expect(await runModule(text, { UPSTREAM: 'wrong', LOG_LEVEL: 'wrong', PORT: 'wrong' })).toEqual(
      {
        ...{ ports: [], added: [0, 0], status: 200, isClean: true },
      },
    );
  });

  // `npm run commands` runs the example of Express too.
  const [first = '', onHttp = '', , onFastify = '', stitched = ''] = blocksOf(
    'docs/embedding.md',
    'js',
  );

  test('responds as the first example of the documents', async () => {
    expect(await runModule(first)).toMatchObject({ data: { reseller: { name: 'Demo Reseller' } } });
  });

  test('can be stitched with its SDL, by the packages of another program', async () => {
    expect(await runModule(stitched)).toEqual({
      data: { domain: { name: 'reseller-demo.com', state: 'ACTIVE' } },
    });
  });

  test.each([
    ['node:http', onHttp],
    ['Fastify', onFastify],
  ])('serves the graph in the example of %s', { tags: ['R22'] }, async (_name, block) => {
    await expectToServe(block);
  });
});

/** Uses of the types of the package. Each `@ts-expect-error` is an error when its line has none. */
const uses = `
  import { createServer } from 'node:http';
  import { createGateway, type Gateway, type GatewaySettings } from 'reseller-graph';
  const settings: GatewaySettings = { UPSTREAM: 'sandbox', SANDBOX_PORT: 0, DEVELOPMENT: undefined };
  const gateway: Gateway = await createGateway(settings, { env: process.env, log: (line: string) => void line });
  const response: Response = await gateway.handle(new Request('http://localhost/graphql'));
  createServer(gateway.nodeHandler);
  const sdl: string = gateway.schema;
  // @ts-expect-error -- no such setting
  await createGateway({ PROT: 5 });
  // @ts-expect-error -- a port is a number
  await createGateway({ PORT: 'http' });
  // @ts-expect-error -- one of two words
  await createGateway({ UPSTREAM: 'real' });
  // @ts-expect-error -- JSON is text
  await createGateway({ TENANTS: {} });
  export { response, sdl };
  import { type ClientError, createClient, type Purchase, type TypedDocument, verifyWebhook } from 'reseller-graph/client';
  declare const document: TypedDocument<{ readonly amount: string }, { readonly id: string }>;
  const client = createClient({ url: 'http://127.0.0.1:4000/graphql' });
  const { amount } = await client.request(document, { id: '1' });
  const exact: string = amount;
  // @ts-expect-error -- the variable is missing
  await client.request(document, {});
  const { reseller } = await client.request<{ reseller: { name: string } }>('{ reseller { name } }');
  const plain: Readonly<Record<string, unknown>> = await client.request('{ reseller { name } }');
  const purchase: Purchase = await client.purchases.wait('1');
  const state: 'AWAITING_APPROVAL' | 'FAILED' | 'IN_PROGRESS' | 'PENDING' | 'SENDING' | 'SUCCEEDED' | 'UNKNOWN' = purchase.state;
  const [error] = (await client.domains.setNameServers('a.com', [])).errors;
  // @ts-expect-error -- no such code
  const isWrong = error?.code === 'NOT_A_CODE';
  // @ts-expect-error -- the domain is missing
  await client.purchases.register({ nameServers: [] });
  const event = await verifyWebhook(new Headers(), '', 'whsec_');
  const days = event.type === 'EXPIRING' ? event.data.after?.days : 0;
  const isTemporary = (error: ClientError): boolean => error.isTemporary;
  export { days, exact, isTemporary, isWrong, name, plain, state };
  const { name } = reseller;`;

/** Compiles files of the folder under the strictest settings. */
async function expectToCompile(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const options = [
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'],
    ...['--target', 'es2024', '--allowImportingTsExtensions', '--skipLibCheck'],
    ...['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', ...Object.keys(files)],
  ];

  expect(await runIn(join(root, 'node_modules/.bin/tsc'), options)).toEqual({
    ...{ code: 0, stdout: '', stderr: '' },
  });
}

test('its types, and the first example of each page, compile under the strictest settings', async () => {
  const examples = markdownFiles.flatMap((page) => {
    const [, text] = /^```(?:ts|js)\n([\s\S]*?)^```/m.exec(readText(page)) ?? [];
    return text === undefined ? [] : [[`${page.replaceAll('/', '-')}.ts`, text] as const];
  });
  linkPackages('graphql', '@theguild');

  await expectToCompile({ 'uses.ts': uses, ...Object.fromEntries(examples) });
  expect(examples.length).toBeGreaterThan(5);
});

test('the manifest names every SDL file, which is that of the code', async () => {
  const { exports } = JSON.parse(await runAndRead('node_modules/reseller-graph/package.json'));

  expect(Object.keys(exports)).toEqual([
    ...['.', './client'],
    ...Object.keys(sdlFiles).map((file) => `./${file}`),
    './package.json',
  ]);
  for (const [file, print] of Object.entries(sdlFiles)) {
    const packed = await runAndRead(`node_modules/reseller-graph/${file}`);
    expect(packed, file).toBe(`${print(schema)}\n`);
  }
});
