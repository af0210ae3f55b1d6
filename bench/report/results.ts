import type { Result } from '../engine/measure.ts';
import type { StartUp } from '../engine/start-up.ts';
import { servers, yardstick } from '../servers/table.ts';
import { workloads } from '../workloads.ts';
import { type Environment, sentenceOf } from './environment.ts';
import { percent, short, tableOf } from './numbers.ts';

export interface Run {
  readonly environment: Environment;
  readonly results: readonly Result[];
  readonly startUps: readonly StartUp[];
}

const titleOf = (id: string) => servers.find((row) => row.id === id)?.title ?? id;

/** The whole run as Markdown. */
export function reportOf({ environment, results, startUps }: Run): string {
  const seen = workloads.filter(({ id }) => results.some(({ workload }) => workload === id));
  return [
    '# What a request costs',
    `${sentenceOf(environment)} Every figure is the median of the rounds. "Ratio" compares requests per CPU-second with the ${yardstick} server in the same turn (least – most of the rounds), "noise" is (most − least) / median of the requests per CPU-second, "busy" is the share of its core that the server used: far below 100 %, the load, the mock upstream or another program of the machine bounds the requests per second. The last column has the latency with an upstream of 20 ms per reply, the column before it with an upstream of 0 ms.`,
    ...seen.map(({ id, title, clients, document }) =>
      [
        `## ${id}: ${title}`,
        `${clients} clients. Each sends its next request when it has its response.`,
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
