import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import {
  type BuildRecord,
  bundleName,
  dist,
  isCurrent,
  recordName,
  root,
  stateOf,
} from '../src/cli/bundle.mjs';
import { documentSources, writeDocuments } from './documents.ts';

// npm run build: bundles the programs with their packages into `dist/`. A gateway that is bundled starts in less than
// half the time. `src/cli/run.mjs` chooses between the bundle and the sources.

const programs = [
  'src/main',
  'sandbox/main',
  'src/cli/purchases',
  'src/cli/backup',
  'src/cli/restore',
  'src/cli/keys',
  'src/cli/check',
  'src/cli/feature',
];

/** What a user of the npm package runs and imports, by its name in `dist/`. */
const entries = {
  'reseller-graph.js': 'src/package/bin.mjs',
  'index.js': 'src/package/index.ts',
  'client.js': 'client/index.ts',
};

/** Files that a module reads by a path relative to its own. All modules are in one folder here. */
const assets = ['style.css', 'page-script.js', 'icon.svg', 'graphiql/built']
  .map((path) => `src/server/ui/${path}`)
  .concat(globSync('src/features/*/*.js', { cwd: root }));

/**
 * Modules that load much more than the gateway uses, which costs time and memory at each start: an import of `node:http`
 * loads the `fetch` of Node, and undici its own `fetch`, caches and mocks, and HTTP/2 also for an upstream without it.
 */
const reduced: Readonly<Record<string, string>> = {
  'node:http': "module.exports = process.getBuiltinModule('node:http');",
  // The first line is in index.js of undici: it adds `request` to clients.
  undici: `
    Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api'));
    exports.Client = require('undici/lib/dispatcher/client.js');
    exports.Pool = require('undici/lib/dispatcher/pool.js');
    exports.buildConnector = require('undici/lib/core/connect.js');
    exports.errors = require('undici/lib/core/errors.js');
  `,
  './client-h2.js': `
    module.exports = (...args) => require('undici/lib/dispatcher/client-h2.js')(...args);
  `,
};
const reducedModules: Plugin = {
  name: 'reduced-modules',
  resolveId: (id) =>
    id in reduced ? join(root, 'node_modules', `reduced-${encodeURIComponent(id)}.cjs`) : null,
  load(path) {
    const [, id = ''] = /node_modules\/reduced-(.*)\.cjs$/.exec(path) ?? [];
    return reduced[decodeURIComponent(id)] ?? null;
  },
};

const late = join(root, 'node_modules/late:');

/** The packages of `src/lib/packages.cjs` are in files of their own, so that a start does not read their text. */
const latePackages: Plugin = {
  name: 'late-packages',
  resolveId(id, importer) {
    if (id.startsWith(late)) return id;
    if (!importer?.endsWith('/src/lib/packages.cjs')) return null;
    const fileName = `${id.replaceAll('/', '-')}.mjs`;
    this.emitFile({ type: 'chunk', id: `${late}${id}`, fileName });
    return { id: `./${fileName}`, external: true };
  },
  load: (path) =>
    path.startsWith(late)
      ? `const found = require('${path.slice(late.length)}'); export { found as 'module.exports' };`
      : null,
};

/** The rules for `@defer` use one function of Yoga, which is loaded later. */
const rulesWithoutYoga: Plugin = {
  name: 'rules-without-yoga',
  resolveId(id, importer) {
    const isOfRules = id === 'graphql-yoga' && importer?.includes('/plugin-defer-stream/');
    return isOfRules ? this.resolve('@graphql-tools/utils', importer) : null;
  },
};

/** Node keeps the text of a file with two bytes for each character when one is not ASCII. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[\u0080-\uffff]/g, escapeOf);
    }
  },
};

/** Means the same in a string, a template and a regular expression. */
const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

removeLeftovers();
// Beside `dist/`, so that it can be renamed.
const folder = join(root, `dist-${randomUUID()}`);
mkdirSync(folder);
try {
  const before = stateOf(ownFiles());
  const files = await bundle();
  for (const path of assets) {
    cpSync(join(root, path), join(folder, path.replace(/^.*\//, '')), { recursive: true });
  }
  writeDocuments(folder);
  const packages = packagesOf(files);
  writeFileSync(join(folder, 'licenses.txt'), packages.map(licenseOf).join('\n'));
  const inputs = inputsOf(files, packages);
  const record: BuildRecord = {
    inputs,
    state: stateOf(ownFiles()) === before ? stateOf(inputs) : null,
  };
  writeFileSync(join(folder, recordName), JSON.stringify(record));
  publish();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Files of ours that the bundle and the documents may contain, from the root. */
function ownFiles(): readonly string[] {
  return globSync(['package.json', '{src,sandbox,client}/**', ...documentSources], {
    cwd: root,
    exclude: ['**/*.test.ts', '**/test/**'],
  }).sort();
}

/** Writes the bundle, and returns the files that the bundler has read. */
async function bundle(): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries([
      ...programs.map((path) => [bundleName(path), `${path}.ts`]),
      ...Object.entries(entries),
    ]),
    // Optional for `pg`, and not installed.
    external: ['pg-native'],
    plugins: [reducedModules, latePackages, rulesWithoutYoga, asciiOnly],
    // `src/lib/graphql-js.ts` reads an export that only version 17 of graphql has.
    checks: { importIsUndefined: false },
    // The ESM form of a package that has two. Two forms of graphql in one process would not know each other's types.
    resolve: { mainFields: ['module', 'main'] },
    // As Node itself reads the sources, which knows no tsconfig.json; the build of the image has none.
    tsconfig: false,
    transform: {
      typescript: { onlyRemoveTypeImports: true },
      // CommonJS packages name their own folder in stack traces.
      define: { __dirname: 'import.meta.dirname' },
    },
  });
  // Names without a digest: V8's cache on disk has one entry per name and would grow with each build otherwise.
  await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // `licenses.txt` has the licenses.
    comments: false,
    entryFileNames: '[name]',
    chunkFileNames: '[name].mjs',
  });
  const files = await build.watchFiles;
  await build.close();
  return files;
}

/** The folders of the packages in the bundle. */
function packagesOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap(
    (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** A package stands for its files: npm replaces all of them together. */
function inputsOf(files: readonly string[], packages: readonly string[]): readonly string[] {
  const bundler = join(root, 'node_modules/rolldown');
  return [
    ...globSync('scripts/{build,documents,reference,markdown,sandbox-notes,tables}.ts', {
      cwd: root,
    }),
    ...documentSources,
    ...files.filter((file) => !file.includes('/node_modules/')),
    ...assets.flatMap((path) => globSync([path, `${path}/*`], { cwd: root })),
    ...[bundler, ...packages].map((path) => join(path, 'package.json')),
  ].map((path) => relative(root, resolve(root, path)));
}

/** The license of a package and its notices, which must accompany copies of it. */
function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}

/**
 * Puts the finished folder in the place of `dist/`, unless another start has built the same at the same time. A program
 * that starts concurrently finds a whole bundle or none.
 */
function publish(): void {
  const old = `${folder}-old`;
  for (let attempt = 1; !isCurrent(); attempt += 1) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(folder, dist);
      break;
    } catch (error) {
      // Another build renamed at the same moment.
      if (attempt === 3) throw error;
    }
  }
  rmSync(old, { recursive: true, force: true });
}

/** Folders of builds that were killed. */
function removeLeftovers(): void {
  const longAgoMs = Date.now() - 600_000;
  for (const path of globSync(join(root, 'dist-*'))) {
    const changedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? longAgoMs;
    if (changedAtMs < longAgoMs) rmSync(path, { recursive: true, force: true });
  }
}
