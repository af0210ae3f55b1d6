import { type Files, type Import, importsOfAll } from './modules.ts';

/** A room, or a file or folder below `src/` where a door is narrower than a room. */
type Place = string;

interface Doors {
  readonly calls: readonly Place[];
  readonly names: readonly Place[];
}

/**
 * The table of the house, "Doors". A room may always call itself; what it may call it may also name.
 *
 * `modules` are two rooms: the graph (each `schema.ts`, and `index.ts` that gathers them) and the logic (all the rest).
 */
export const doors: Readonly<Record<string, Doors>> = {
  kernel: { calls: [], names: [] },
  config: { calls: ['kernel'], names: [] },
  observability: { calls: ['kernel'], names: [] },
  access: { calls: ['kernel', 'config/keys-file.ts'], names: ['config', 'observability'] },
  persistence: { calls: ['kernel'], names: [] },
  'shared-state': { calls: ['kernel'], names: ['observability'] },
  upstream: { calls: ['kernel'], names: ['observability'] },
  schema: { calls: ['kernel'], names: ['modules/scope.ts'] },
  logic: { calls: ['kernel'], names: ['upstream', 'persistence'] },
  graph: { calls: ['kernel', 'schema'], names: ['upstream', 'logic'] },
  supergraph: { calls: ['kernel', 'schema'], names: ['modules/scope.ts'] },
  server: { calls: ['kernel', 'observability', 'graph', 'logic'], names: ['config', 'access'] },
  sandbox: {
    calls: ['kernel'],
    names: ['upstream/domain-api/operations.ts', 'upstream/account-api/operations.ts'],
  },
};

/** Processes start here; they know every room. */
const entries = [
  'main.ts',
  'compose.ts',
  'health.ts',
  'tenant.ts',
  'tenants.ts',
  'observe.ts',
  'open-journal.ts',
  'purchases.ts',
  'keys.ts',
  'sandbox/main.ts',
  'print-schema.ts',
];

const inSrc = (path: string) => path.replace(/^src\//, '');

/** The room of a file such as `src/kernel/money.ts`; `main` for the entries, which may call all. */
export function roomOf(path: string): string {
  const file = inSrc(path);
  if (entries.includes(file)) return 'main';
  const [room = ''] = file.split('/');
  if (room !== 'modules') return room;
  return file === 'modules/index.ts' || file.endsWith('/schema.ts') ? 'graph' : 'logic';
}

const isAt = (places: readonly Place[], path: string): boolean =>
  places.some((place) => roomOf(path) === place || inSrc(path) === place);

/** Why the table forbids the import, or null. */
function refusal(one: Import): string | null {
  const { from, target, isType } = one;
  if (target === null) return null;
  if (!target.startsWith('src/')) return `${from} reaches out of src: ${target}`;
  const room = roomOf(from);
  const other = roomOf(target);
  if (room === 'main' || room === other) return null;
  const table = doors[room];
  if (!table) return `${from} is in no room of the table`;
  if (isAt(table.calls, target)) return null;
  if (isType && isAt(table.names, target)) return null;
  return `${room} must not ${isType ? 'name' : 'call'} ${other}: ${from} -> ${target}`;
}

/** Every import that the table forbids, as one sentence each. */
export const findViolations = (files: Files): readonly string[] =>
  importsOfAll(files)
    .map(refusal)
    .filter((reason) => reason !== null);
