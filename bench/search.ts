import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Pool } from 'undici';
import { print, readArguments } from '../src/console/program.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { isWithinNoise, median, quantile, ratioOf } from './engine/statistics.ts';
import { startTarget, type Target } from './engine/target.ts';
import { startUpstream } from './engine/upstream.ts';
import { servers } from './servers/table.ts';

const help = `Measures searches of labels that were not searched before, plain and streamed.

Usage: npm run bench:search -- [options]

  --names 20,100    Names of a search.
  --clients 1,32    Each sends its next search when it has the last result of the one before.
  --latency 0,150   Of the mock upstream, in ms.
  --rounds N        Default 4.
  --seconds N       Of each figure in each round; default 2.
  --against DIR     Another checkout, with its packages and its build, which takes turns with this one.
`;

const { values } = readArguments('bench:search', help, {
  options: {
    names: { type: 'string', default: '20,100' },
    clients: { type: 'string', default: '1,32' },
    latency: { type: 'string', default: '0,150' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    against: { type: 'string' },
  },
});
const numbers = (list: string): readonly number[] => list.split(',').map(Number);

const row = `suggested position
  availability { name state premium price { amount currency } quote { period highest { amount currency } renewalPrice { amount currency } } }
  totals { period highest { amount currency } }`;
const search = (streamed = '') =>
  `query ($label: String!, $first: Int) { searchDomains(labels: [$label], first: $first) ${streamed} { ${row} } }`;

interface Form {
  readonly document: string;
  readonly accept: string;
}

const streamed = search('@stream');
const forms: Readonly<Record<string, Form>> = {
  plain: { document: search(), accept: 'application/json' },
  multipart: { document: streamed, accept: 'multipart/mixed' },
  'multipart, announced': { document: streamed, accept: 'multipart/mixed;incrementalSpec=v0.2' },
  'event stream': { document: streamed, accept: 'text/event-stream' },
  subscription: {
    document: search().replace('query', 'subscription'),
    accept: 'text/event-stream',
  },
};

interface Figures {
  cpuMs: number;
  searches: number;
  bytes: number;
  readonly firstMs: number[];
  readonly lastMs: number[];
}

let labels = 0;
/** As long as most labels are; no two searches have the same. */
const newLabel = () => `harbour${(labels++).toString(36).padStart(6, '0')}`;

/** Sends one search and reads it to its end. @throws Error for a response without all of its results */
const sendOne = (pool: Pool, { document, accept }: Form, first: number, into: Figures) =>
  new Promise<void>((done, fail) => {
    const startedMs = performance.now();
    let firstMs = 0;
    let text = '';
    const body = JSON.stringify({ query: document, variables: { label: newLabel(), first } });
    const headers = { 'content-type': 'application/json', accept };
    pool.dispatch(
      { method: 'POST', path: '/graphql', headers, body },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData(_controller, chunk) {
          text += chunk;
          if (firstMs === 0 && text.includes('"position"')) firstMs = performance.now() - startedMs;
        },
        onResponseEnd() {
          if (text.split('"position"').length !== first + 1 || text.includes('"errors"')) {
            return fail(new Error(`A wrong response: ${text.slice(0, 500)}`));
          }
          into.searches += 1;
          into.bytes += text.length;
          into.firstMs.push(firstMs);
          into.lastMs.push(performance.now() - startedMs);
          done();
        },
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });

async function measure(
  { child }: Target,
  form: Form,
  first: number,
  clients: number,
  seconds: number,
): Promise<Figures> {
  const figures: Figures = { cpuMs: 0, searches: 0, bytes: 0, firstMs: [], lastMs: [] };
  const pool = new Pool(child.url, { connections: clients, pipelining: 1 });
  const before = child.cpuMs() ?? Number.NaN;
  const endMs = performance.now() + seconds * 1_000;
  const sendAll = async () => {
    do await sendOne(pool, form, first, figures);
    while (performance.now() < endMs);
  };
  await Promise.all(Array.from({ length: clients }, sendAll));
  await pool.close();
  figures.cpuMs = (child.cpuMs() ?? Number.NaN) - before;
  return figures;
}

const cores = findCores();
if (cores) moveTo(cores.rest);
const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
await using opened = new AsyncDisposableStack();
opened.defer(() => rmSync(folder, { recursive: true }));
const upstream = opened.adopt(await startUpstream(1, cores?.rest ?? null), (it) => it.stop());
const [ours] = servers;
if (!ours) throw new Error('There is no server to measure.');
const root = join(import.meta.dirname, '..');
const files = [
  ours.file,
  ...(values.against ? [relative(root, join(resolve(values.against), ours.file))] : []),
];
const targets: Target[] = [];
for (const [at, file] of files.entries()) {
  const target = await startTarget(
    { ...ours, file },
    {
      upstreamUrl: upstream.url,
      dataDir: join(folder, String(at)),
      core: cores?.server ?? null,
      nodeArgs: [],
    },
  );
  targets.push(opened.adopt(target, ({ child }) => child.stop()));
}

const seconds = Number(values.seconds);
const cpu = ({ cpuMs, searches }: Figures) => cpuMs / searches;
const shown = (ms: number) => ms.toFixed(2).padStart(8);
for (const form of Object.values(forms)) {
  for (const target of targets) await measure(target, form, 20, 8, 1);
}
print(
  `${'form'.padEnd(24)}names  clients  latency  CPU ms  first p50     p99  last p50    bytes${values.against ? '  CPU of the other' : ''}`,
);
for (const latency of numbers(values.latency)) {
  await upstream.setLatency(latency);
  for (const clients of numbers(values.clients)) {
    for (const names of numbers(values.names)) {
      const found = Object.keys(forms).map((): Figures[][] => targets.map(() => []));
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const [at, form] of Object.values(forms).entries()) {
          for (const [nth, target] of targets.entries()) {
            found[at]?.[nth]?.push(await measure(target, form, names, clients, seconds));
          }
        }
      }
      for (const [at, name] of Object.keys(forms).entries()) {
        const [own = [], other = []] = found[at] ?? [];
        const first = own.flatMap(({ firstMs }) => firstMs);
        const last = own.flatMap(({ lastMs }) => lastMs);
        const bytes = median(own.map((one) => one.bytes / one.searches));
        const ratio = ratioOf(own.map(cpu), other.map(cpu));
        const against = isWithinNoise(ratio) ? '≈ 1' : `${ratio.median.toFixed(2)} of it`;
        print(
          `${name.padEnd(24)}${String(names).padStart(5)}${String(clients).padStart(9)}${String(latency).padStart(9)}${shown(median(own.map(cpu)))}${shown(median(first)).padStart(11)}${shown(quantile(first, 0.99))}${shown(median(last)).padStart(10)}${bytes.toFixed(0).padStart(9)}${other.length > 0 ? `  ${shown(median(other.map(cpu)))}, ${against}` : ''}`,
        );
      }
    }
  }
}
