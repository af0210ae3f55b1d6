import type { Result } from '../engine/measure.ts';
import type { StartUp } from '../engine/start-up.ts';
import { servers, yardstick } from '../servers/table.ts';
import { workloads } from '../workloads.ts';
import { percent, short, tableOf } from './numbers.ts';
import { type Surroundings, sentenceOf } from './surroundings.ts';

export interface Run {
  readonly surroundings: Surroundings;
  readonly results: readonly Result[];
  readonly startUps: readonly StartUp[];
}

const titleOf = (id: string) => servers.find((row) => row.id === id)?.title ?? id;

/** The whole run as Markdown. */
export function reportOf({ surroundings, results, startUps }: Run): string {
  const seen = workloads.filter(({ id }) => results.some(({ workload }) => workload === id));
  return [
    '# What a request costs',
    `${sentenceOf(surroundings)} Every figure is the median of the rounds. "Ratio" compares requests per CPU-second with the ${yardstick} server in the same turn (least – most of the rounds), "noise" is (most − least) / median of the requests per CPU-second, "busy" is the share of its core that the server used: far below 100 %, what bounds the requests per second is the load, the mock upstream or another program of the machine. The last column has the latency where the upstream takes 20 ms for a reply, the one before it that where it takes none.`,
    ...seen.map(({ id, title, clients, document }) =>
      [
        `## ${id}: ${title}`,
        `${clients} clients, each asking again as soon as it is answered.`,
        `\`\`\`graphql\n${unindented(document)}\n\`\`\``,
        workloadTable(results.filter(({ workload }) => workload === id)),
      ].join('\n\n'),
    ),
    '## Start and memory',
    tableOf(
      ['server', 'start to first answer, ms', 'idle RSS, MiB'],
      startUps.map(({ server, firstAnswerMs, idleRssMiB }) => [
        titleOf(server),
        short(firstAnswerMs),
        short(idleRssMiB),
      ]),
    ),
  ].join('\n\n');
}

function workloadTable(results: readonly Result[]): string {
  const rows = servers.flatMap(({ id, title }) => {
    const fast = results.find(({ server, upstreamMs }) => server === id && upstreamMs === 0);
    const slow = results.find(({ server, upstreamMs }) => server === id && upstreamMs > 0);
    return fast ? [[title, ...cellsOf(fast), latencyOf(fast), slow ? latencyOf(slow) : '–']] : [];
  });
  return tableOf(
    [
      ...['server', 'requests per CPU-second', 'ratio', 'noise', 'requests/s', 'busy'],
      ...['calls a request', 'p50 / p99 ms', 'p50 / p99 ms at 20 ms'],
    ],
    rows,
  );
}

const cellsOf = (one: Result) => [
  short(one.perCpuSecond),
  `${short(one.ratio)} (${short(one.ratioLow)} – ${short(one.ratioHigh)})`,
  percent(one.perCpuSecondSpread),
  short(one.perSecond),
  percent(one.perSecond / one.perCpuSecond),
  short(one.callsPerRequest),
];

const latencyOf = ({ p50Ms, p99Ms }: Result) => `${short(p50Ms)} / ${short(p99Ms)}`;

function unindented(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
