import { execFile, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billOfMaterials } from '../../scripts/bill-of-materials.ts';
import { setup as buildBundle } from '../support/bundle.ts';
import { whyNotShort } from '../support/long.ts';
import { type Running, startProcess } from '../support/process.ts';
import { because } from '../support/skipped.ts';
import { sendQuery } from './deployment.ts';

const run = promisify(execFile);
const checkout = new URL('../..', import.meta.url).pathname;
/** Before a command: a file system's permissions apply to root too. */
const withoutPrivilege =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--'] : [];
const [privilegeTool] = withoutPrivilege;
const whyPrivileged =
  privilegeTool === undefined || spawnSync(privilegeTool, ['--version']).status === 0
    ? null
    : `install ${privilegeTool}, or run as another user than root`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bundle-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the checkout after `npm ci`, without a bundle. */
function copyCheckout(name: string, packages: readonly string[] = ['node_modules']): string {
  const root = join(folder, name);
  mkdirSync(root);
  const paths = ['package.json', 'package-lock.json', 'src', 'sandbox', 'client', 'scripts'];
  for (const path of [...paths, 'docs', 'LICENSE', 'README.md']) {
    cpSync(join(checkout, path), join(root, path), { recursive: true });
  }
  for (const path of packages) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    symlinkSync(join(checkout, path), join(root, path));
  }
  return root;
}

/** Runs `cli/keys --help`; `npm run keys` adds `--build`. */
function help(root: string, options: readonly string[], before: readonly string[] = []) {
  const program = [join(root, 'src/cli/run.mjs'), ...options, 'src/cli/keys', '--help'];
  const [command = '', ...args] = [...before, process.execPath, ...program];
  return run(command, args, { env: { PATH: process.env.PATH } });
}

/** Changes the first line of the help, in a source or in a bundle. */
function plant(file: string, line: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^const help = `[^\n]*/m, `const help = \`${line}`));
}

const firstLineOf = ({ stdout }: { stdout: string }) => stdout.split('\n')[0];
const sourceLine =
  'API keys of this gateway. A running gateway applies a change within two seconds.';

const buildingLine =
  'reseller-graph: building dist/, which takes a few seconds; later starts use it.\n';

describe.skipIf(whyNotShort)('the choice between bundle and sources', () => {
  let root: string;
  beforeAll(() => {
    root = copyCheckout('checkout');
  });
  const source = () => join(root, 'src/cli/keys.ts');
  const bundled = () => join(root, 'dist/cli-keys.js');

  test('the sources run without a bundle, and a start without --build does not build one', async () => {
    expect(firstLineOf(await help(root, []))).toBe(sourceLine);
    expect(existsSync(join(root, 'dist'))).toBe(false);
  });

  test('concurrent starts with --build leave one bundle', async () => {
    const all = await Promise.all([1, 2].map(() => help(root, ['--build'])));

    for (const { stdout, stderr } of all) {
      expect(firstLineOf({ stdout })).toBe(sourceLine);
      expect(stderr).toBe(buildingLine);
    }
    expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });

  test('a current bundle runs without a build, and --source runs the sources', async () => {
    plant(bundled(), 'Bundle.');

    const { stdout, stderr } = await help(root, ['--build']);
    expect([firstLineOf({ stdout }), stderr]).toEqual(['Bundle.', '']);
    expect(firstLineOf(await help(root, []))).toBe('Bundle.');
    expect(firstLineOf(await help(root, ['--source']))).toBe(sourceLine);
  });

  test('a changed source runs from source, and the next start with --build builds', async () => {
    plant(source(), 'Changed.');

    expect(firstLineOf(await help(root, []))).toBe('Changed.');
    expect(readFileSync(bundled(), 'utf8')).toContain('Bundle.');
    expect(firstLineOf(await help(root, ['--build']))).toBe('Changed.');
    expect(readFileSync(bundled(), 'utf8')).toContain('Changed.');
  });

  test.skipIf(whyPrivileged)(
    `in a read-only folder a current bundle or the sources run${because(whyPrivileged)}`,
    async () => {
      const helpReadOnly = async () => {
        chmodSync(root, 0o555);
        try {
          return await help(root, ['--build'], withoutPrivilege);
        } finally {
          chmodSync(root, 0o755);
        }
      };
      plant(source(), 'Read-only.');

      const { stdout, stderr } = await helpReadOnly();

      expect([firstLineOf({ stdout }), stderr]).toEqual(['Read-only.', '']);
      expect(readFileSync(bundled(), 'utf8')).not.toContain('Read-only.');

      await run('npm', ['run', 'build'], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: folder },
      });
      plant(bundled(), 'Bundle.');

      expect(firstLineOf(await helpReadOnly())).toBe('Bundle.');
    },
  );

  test('a failed build is reported, and the sources run', async () => {
    plant(source(), 'Not built.');
    appendFileSync(join(root, 'sandbox/main.ts'), "\nimport './missing.ts';\n");

    const { stdout, stderr } = await help(root, ['--build']);

    expect(firstLineOf({ stdout })).toBe('Not built.');
    expect(stderr).toContain('./missing.ts');
    expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  });
});

test.skipIf(whyNotShort)('the sources run when the bundler is not installed', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const packages = Object.keys(dependencies).map((name) => `node_modules/${name}`);
  const root = copyCheckout('production', packages);

  const { stdout, stderr } = await help(root, ['--build']);

  expect([firstLineOf({ stdout }), stderr]).toEqual([sourceLine, '']);
  expect(existsSync(join(root, 'dist'))).toBe(false);
});

describe.skipIf(whyNotShort)('the gateway from the bundle and from the sources', () => {
  let forms: readonly Running[];
  beforeAll(async () => {
    buildBundle();
    forms = await Promise.all(
      [true, false].map((source) => {
        const env = { PORT: '0', SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none' };
        const dataDir = join(folder, source ? 'from-source' : 'from-bundle');
        return startProcess('src/main', { ...env, DATA_DIR: dataDir }, [], { source });
      }),
    );
  });
  afterAll(() => Promise.all(forms.map((form) => form.kill())));

  test('responds equally to a query, with the version of package.json', async () => {
    const query = `{ gateway { version environment } reseller { name }
      domains(first: 3) { totalCount nodes { name state } }
      availability(name: "maple-harbor.com") { state price { amount currency } } }`;
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));

    const [fromSource, fromBundle] = await Promise.all(forms.map((form) => sendQuery(form, query)));

    expect(fromSource.gateway.version).toBe(version);
    expect(fromBundle).toEqual(fromSource);
  });

  test('serves the same pages, style, icon and files of GraphiQL', async () => {
    const html = { headers: { accept: 'text/html' } };
    const read = async ({ origin }: Running, path: string) => {
      const response = await fetch(`${origin}${path}`, html);
      return `${response.status} ${(await response.text()).replaceAll(origin, '')}`;
    };
    const page = await read(forms[0] as Running, '/graphql');
    const files = [...page.matchAll(/"(\/graphiql\/[^"]+)"/g)].map(([, path = '']) => path);

    expect(files.length).toBeGreaterThan(1);
    for (const path of ['/', '/icon.svg', '/graphql', ...files]) {
      const [fromSource, fromBundle] = await Promise.all(forms.map((form) => read(form, path)));
      expect(fromSource).toMatch(/^200 /);
      expect(fromBundle === fromSource, path).toBe(true);
    }
  });
});

test('the bundle has each module of graphql once, and the license and the bill of materials of each package', () => {
  const dist = join(checkout, 'dist');
  const sources = readdirSync(dist)
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => JSON.parse(readFileSync(join(dist, name), 'utf8')).sources as string[]);
  const graphql = sources.filter((path) => path.includes('/node_modules/graphql/'));
  const { inputs } = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8'));
  const packages = inputs.filter((path: string) => /node_modules\/.*package\.json$/.test(path));
  const licenses = readFileSync(join(dist, 'licenses.txt'), 'utf8');

  expect(graphql.length).toBeGreaterThan(50);
  expect(graphql.filter((path) => !path.startsWith('../node_modules/graphql/'))).toEqual([]);
  expect(new Set(graphql.map((path) => path.replace(/^.*\./, '')))).toEqual(new Set(['mjs']));
  const licensed = [...licenses.matchAll(/^((?:@[\w-]+\/)?[\w.-]+) (\d+\.\d+\.\d+) \(/gm)];
  // The bundler is an input and not in the bundle.
  expect(licensed).toHaveLength(packages.length - 1);
  const listed = billOfMaterials.components.map(({ name, version }) => `${name} ${version}`);
  expect(
    licensed
      .map(([, name, version]) => `${name} ${version}`)
      .filter((one) => !listed.includes(one)),
  ).toEqual([]);
});
