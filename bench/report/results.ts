import { load, type Result } from '../engine/measure.ts';
import type { StartUp } from '../engine/start-up.ts';
import { isWithinNoise, type Ratio } from '../engine/statistics.ts';
import { servers, yardstick } from '../servers/table.ts';
import { workloads } from '../workloads.ts';
import { type Environment, sentenceOf } from './environment.ts';
import { short, tableOf } from './numbers.ts';

export interface Run {
  readonly environment: Environment;
  readonly results: readonly Result[];
  readonly startUps: readonly StartUp[];
  /** Of each server after all workloads; null where it is not available. */
  readonly memory: readonly { readonly server: string; readonly rssMiB: number | null }[];
}

const titleOf = (id: string) => servers.find((row) => row.id === id)?.title ?? id;

/** A ratio with its range; it is about 1 where the range includes 1. */
const ratioCell = (ratio: Ratio): string =>
  `${isWithinNoise(ratio) ? '≈ 1' : short(ratio.median)} (${short(ratio.low)} – ${short(ratio.high)})`;

/** The whole run as Markdown. */
export function reportOf({ environment, results, startUps, memory }: Run): string {
  const alone = results.filter(({ upstreamMs }) => upstreamMs === 0);
  const many = results.filter(({ upstreamMs }) => upstreamMs === load.upstreamMs);
  return [
    '# What a request costs',
    sentenceOf(environment),
    `Each round is a new start of all servers, which then take turns. A figure is the median of the rounds. A ratio is the median of the ratios within each round, with their range in parentheses; where the range includes 1, the difference is noise and the cell is "≈ 1". Two equal servers seem different in one of ${2 ** (environment.rounds - 1)} cells.`,
    '## Requests per CPU-second',
    `Multiples of the ${titleOf(yardstick)}, whose own requests per CPU-second are in its row. The upstream takes 0 ms. Each client sends its next request when it has its response; there are ${clientsOf('W4b')} clients for W4b, and ${clientsOf('W1')} for the other workloads. [workloads.ts](workloads.ts) has the documents.`,
    cpuTable(alone),
    workloads
      .map(({ id, title }) => `${id}: ${title}`)
      .join('; ')
      .concat('.'),
    '![](results.svg)',
    '## More clients',
    `Requests per second / p50 in ms. The upstream takes ${load.upstreamMs} ms for each reply. "≈" marks a rate that differs from that of the proxy by noise only. ${refusalsOf(results)} \`npm run bench\` also writes \`results.json\`, which has p99.`,
    loadTable(many),
    '![](results-load.svg)',
    '## Start and memory',
    tableOf(
      ['server', 'start to first response, ms', 'idle RSS, MiB', 'RSS after all workloads, MiB'],
      startUps.map(({ server, firstAnswerMs, idleRssMiB }) => [
        titleOf(server),
        short(firstAnswerMs),
        short(idleRssMiB),
        short(memory.find((one) => one.server === server)?.rssMiB ?? null),
      ]),
    ),
  ].join('\n\n');
}

const clientsOf = (id: string) => workloads.find((one) => one.id === id)?.clients;

function cpuTable(results: readonly Result[]): string {
  const cellOf = (server: string, workload: string) => {
    const one = results.find((other) => other.server === server && other.workload === workload);
    if (!one) return '–';
    return server === yardstick ? `1 = ${short(one.perCpuSecond)}` : ratioCell(one.cpuRatio);
  };
  const callsOf = (workload: string) => {
    const ours = results.find((one) => one.server === 'ours' && one.workload === workload);
    return ours ? short(ours.callsPerRequest) : '–';
  };
  return tableOf(
    ['server', ...workloads.map(({ id }) => id)],
    [
      ...servers.map(({ id, title }) => [title, ...workloads.map((one) => cellOf(id, one.id))]),
      ['upstream calls of ours per request', ...workloads.map(({ id }) => callsOf(id))],
    ],
  );
}

function loadTable(results: readonly Result[]): string {
  const cellOf = (server: string, workload: string, clients: number) => {
    const one = results
      .filter((other) => other.server === server && other.workload === workload)
      .find((other) => other.clients === clients);
    if (!one) return '–';
    const mark = server !== yardstick && isWithinNoise(one.rateRatio) ? '≈ ' : '';
    return `${mark}${short(one.perSecond)} / ${short(one.p50Ms)}`;
  };
  return tableOf(
    ['workload', 'clients', ...load.servers.map(({ title }) => title)],
    load.workloads.flatMap((workload) =>
      load.clients.map((clients) => [
        ...[workload, String(clients)],
        ...load.servers.map(({ id }) => cellOf(id, workload, clients)),
      ]),
    ),
  );
}

function refusalsOf(results: readonly Result[]): string {
  const refusing = results.filter(({ refused }) => refused > 0);
  if (refusing.length === 0) return 'No server refused a request.';
  const some = refusing.map(
    ({ server, workload, clients, upstreamMs, refused }) =>
      `${titleOf(server)} ${refused} of ${workload} with ${clients} clients at ${upstreamMs} ms`,
  );
  return `Refused requests: ${some.join(', ')}.`;
}
