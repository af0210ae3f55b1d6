import { type Files, type Import, importsOfAll, productFolders } from './modules.ts';

/** A top-level folder of `src/`, `sandbox`, `client`, or a file or folder below it where a boundary is narrower. */
type Place = string;

interface Boundary {
  /** Folders and files that the folder may import. */
  readonly imports: readonly Place[];
  /** Folders and files of which it may import types only. */
  readonly types: readonly Place[];
}

const base = ['kernel', 'lib'];

/**
 * Which folder may import which. A folder may always import itself, and types from whatever it may import.
 *
 * `modules` are two: the graph (each `schema.ts` and `…-schema.ts`) and the logic (all other files).
 */
export const boundaries: Readonly<Record<string, Boundary>> = {
  kernel: { imports: ['lib'], types: [] },
  lib: { imports: [], types: [] },
  config: { imports: base, types: ['observability'] },
  observability: { imports: base, types: [] },
  access: { imports: base, types: ['observability'] },
  persistence: { imports: base, types: [] },
  upstream: { imports: base, types: ['observability'] },
  schema: { imports: base, types: ['scope/scope.ts'] },
  // The settings of all capabilities are part of a tenant.
  scope: {
    imports: base,
    types: ['config', 'observability', 'persistence', 'upstream'],
  },
  logic: { imports: [...base, 'scope', 'upstream'], types: ['persistence'] },
  // A resolver names the service that it uses by its key.
  graph: { imports: [...base, 'schema', 'logic'], types: ['scope/scope.ts', 'upstream'] },
  server: {
    imports: [...base, 'observability', 'graph', 'logic'],
    types: ['config', 'access', 'scope'],
  },
  // What commands share.
  console: { imports: [...base, 'config', 'client'], types: ['persistence'] },
  // A capability that can be deleted. Which features it may import is in its row `uses`.
  features: {
    imports: [
      ...[...base, 'config', 'observability', 'access', 'upstream', 'persistence'],
      ...['scope', 'schema', 'server', 'logic', 'graph', 'seam', 'console', 'client'],
    ],
    types: [],
  },
  seam: {
    imports: [],
    types: [
      ...base,
      'config',
      'logic',
      'observability',
      'persistence',
      'scope',
      'server',
      'upstream',
    ],
  },
  client: { imports: [], types: [] },
  sandbox: {
    imports: base,
    types: ['upstream/domain-api/operations.ts', 'upstream/account-api/operations.ts'],
  },
};

/** Folders and files that compose the others, so that they may import everything. */
const composition = [
  ...['app', 'cli', 'package', 'main.ts', 'sandbox/main.ts', 'modules/index.ts'],
  'features/index.ts',
];

/** Files outside the product that every folder may import. */
const outside = ['package.json'];

/** Folders with one file that other folders, tests included, may import. */
const sealed: Readonly<Record<string, string>> = {
  'src/features/portfolio/list-index/': 'portfolio-index.ts',
};

/** The violation of an import into a sealed folder, or null. */
function breachOf({ from, target }: Import): string | null {
  const folder = Object.keys(sealed).find((one) => target?.startsWith(one));
  if (!target || !folder || from.startsWith(folder)) return null;
  const entry = `${folder}${sealed[folder]}`;
  return target === entry ? null : `only ${entry} may be imported: ${from} -> ${target}`;
}

/** Every import of another file of a sealed folder than its entry, as one sentence each. */
export const findBreaches = (files: Files): readonly string[] =>
  importsOfAll(files)
    .map(breachOf)
    .filter((reason) => reason !== null);

/** The upstream that is written from the specification alone. Its tests may import the gateway, but not the sandbox. */
const isIndependent = (path: string): boolean =>
  /^test\/independent\/(?!start\.ts)[\w-]+\.ts$/.test(path);

/** Every import that makes the independent upstream less independent. */
export const findSharedCode = (files: Files): readonly string[] =>
  importsOfAll(files)
    .filter(({ from, target }) =>
      isIndependent(from)
        ? target !== null && !isIndependent(target)
        : target?.startsWith('sandbox/'),
    )
    .map(({ from, target }) => `${from} -> ${target}`);

const inProduct = (path: string) => productFolders.some((folder) => path.startsWith(`${folder}/`));
const inSrc = (path: string) => path.replace(/^src\//, '');

/** The folder of a file such as `src/kernel/money.ts`; `composition` for a file that may import everything. */
export function folderOf(path: string): string {
  const file = inSrc(path);
  const [folder = ''] = file.split('/');
  if (composition.includes(folder) || composition.includes(file)) return 'composition';
  if (folder !== 'modules') return folder;
  return /\/(?:[\w-]+-)?schema\.ts$/.test(file) ? 'graph' : 'logic';
}

const isAt = (places: readonly Place[], path: string): boolean =>
  places.some((place) => folderOf(path) === place || inSrc(path) === place);

/** The rule of the table that the import violates, or null. */
function violationOf(one: Import): string | null {
  const { from, target, isType } = one;
  if (target === null || outside.includes(target)) return null;
  if (!inProduct(target)) return `${from} imports a file outside the product: ${target}`;
  const folder = folderOf(from);
  const other = folderOf(target);
  if (folder === 'composition' || folder === other) return null;
  const boundary = boundaries[folder];
  if (!boundary) return `${from} is in no folder of the table`;
  if (isAt(boundary.imports, target)) return null;
  if (isType && isAt(boundary.types, target)) return null;
  return `${folder} must not import ${isType ? 'types of ' : ''}${other}: ${from} -> ${target}`;
}

/** Every import that the table forbids, as one sentence each. */
export const findViolations = (files: Files): readonly string[] =>
  importsOfAll(files)
    .map(violationOf)
    .filter((reason) => reason !== null);
