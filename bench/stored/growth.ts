import { setTimeout as sleep } from 'node:timers/promises';
import { lineGridOf } from '../report/line-grid.ts';
import { short } from '../report/numbers.ts';
import { colourAt } from '../report/svg.ts';
import { quiet, withoutWork } from './beside.ts';
import { type Pair, startPair } from './pair.ts';
import { fillJournal } from './statements.ts';

/** CPU time of the gateway for one kind of work, in ms, by the entries of the audit log. */
export interface Growth {
  readonly what: string;
  readonly isPage: boolean;
  readonly points: readonly (readonly [rows: number, cpuMs: number])[];
}

const repeats = 20;
const idleMs = 10_000;

const page = (selection: string) => async (pair: Pair) => {
  for (let at = 0; at < repeats; at += 1) await pair.query(`{ ${selection} }`);
};
const pages: Readonly<Record<string, (pair: Pair) => Promise<void>>> = {
  'first purchases': page('purchases(first: 50) { nodes { id state domainName } }'),
  'last purchases': page('purchases(last: 50) { nodes { id state domainName } }'),
  'purchases, counted': page('purchases(first: 50) { countAtLeast nodes { id } }'),
  'first events': page('events(first: 50) { nodes { cursor type subject } }'),
  'first entries of the audit log': page('auditLog(first: 50) { nodes { operation caller } }'),
  'entries of a caller, counted': page(
    'auditLog(first: 50, filter: { caller: "rare" }) { countAtLeast nodes { operation } }',
  ),
  'first customers': page('customers(first: 50) { nodes { name spent { price { amount } } } }'),
};

const file = (path: string) => async (pair: Pair) => {
  const response = await fetch(`${pair.gateway.url}/export/${path}`);
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
};
const wholes: Readonly<Record<string, (pair: Pair) => Promise<void>>> = {
  'file of purchases': file('purchases.csv'),
  'file of the audit log': file('audit.csv'),
  'sums of all purchases': (pair) => pair.query('{ purchaseSums(by: MONTH) { value count } }'),
  [`${idleMs / 1_000} idle seconds`]: () => sleep(idleMs),
};

/** Pages, files, the start and the loops of a gateway over journals of each size. */
export async function measureStoredGrowth(sizes: readonly number[]): Promise<readonly Growth[]> {
  const found = new Map<string, [number, number][]>();
  const add = (what: string, rows: number, cpuMs: number) =>
    found.set(what, [...(found.get(what) ?? []), [rows, cpuMs]]);
  for (const rows of sizes) {
    const pair = await startPair({
      env: { AUTH: 'open', DEVELOPMENT: 'false', RATE_LIMIT_PER_MINUTE: '0', ...longRetention },
      prepare: (folder) => fillJournal(`${folder}/sandbox-journal.sqlite`, rows, withoutWork),
    });
    try {
      await quiet(pair);
      add('start', rows, pair.gateway.cpuMs() ?? 0);
      const measure = async (run: (pair: Pair) => Promise<void>, times: number) => {
        const startedMs = pair.gateway.cpuMs() ?? 0;
        await run(pair);
        return ((pair.gateway.cpuMs() ?? 0) - startedMs) / times;
      };
      for (const [what, run] of Object.entries(pages)) {
        // V8 compiles what the first requests use.
        await run(pair);
        add(what, rows, await measure(run, repeats));
      }
      for (const [what, run] of Object.entries(wholes)) add(what, rows, await measure(run, 1));
    } finally {
      await pair.close();
    }
  }
  return [...found].map(([what, points]) => ({ what, isPage: what in pages, points }));
}

const longRetention = { AUDIT_RETENTION_DAYS: '3650', EVENTS_RETENTION_DAYS: '3650' };

export const growthHead = (sizes: readonly number[]): readonly string[] => [
  'CPU time of the gateway, ms',
  ...sizes.map((rows) => `${rows.toLocaleString('en')} entries`),
];

export const growthRows = (all: readonly Growth[]): string[][] =>
  all.map(({ what, points }) => [what, ...points.map(([, cpuMs]) => short(cpuMs))]);

/** A column for pages, and one for work on the whole journal. */
export function storedGrowthPlotOf(all: readonly Growth[], sizes: readonly number[]): string {
  const panelOf = (title: string, isPage: boolean) => ({
    ...{ title, sizes, unit: 'entries of the audit log' },
    lines: all.map((one) => (one.isPage === isPage ? one.points.map(atLeastOneTick) : [])),
  });
  return lineGridOf(
    'How the cost of stored rows grows',
    all.map(({ what }, at) => ({ title: what, colour: colourAt(at) })),
    [[panelOf('A page, CPU ms', true)], [panelOf('The whole journal, CPU ms', false)]],
  );
}

/** The CPU time of a process is counted in ticks of 10 ms. */
const atLeastOneTick = ([rows, cpuMs]: readonly [number, number]) =>
  [rows, Math.max(cpuMs, 0.5)] as const;
