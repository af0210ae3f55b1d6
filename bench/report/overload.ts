import type { Cell } from '../overload/closed-loop.ts';
import type { Overload } from '../overload/open-loop.ts';
import { type Environment, sentenceOf } from './environment.ts';
import { percent, short, tableOf } from './numbers.ts';

export interface OverloadRun {
  readonly environment: Environment;
  /** Of the machine over five minutes when the run began; above the cores, other programs disturb every figure. */
  readonly loadAverage: number;
  readonly cells: readonly Cell[];
  readonly overloads: readonly Overload[];
}

const begin = '<!-- npm run bench:overload writes this section -->';
const end = '<!-- end of the section -->';

/** The section of an earlier run, or nothing. */
export function overloadSectionOf(report: string): string {
  const from = report.indexOf(begin);
  const to = report.indexOf(end);
  return from < 0 || to < from ? '' : report.slice(from, to + end.length);
}

/** The report with this section at its end, in place of an earlier one. */
export const withOverloadSection = (report: string, section: string): string =>
  `${report.replace(overloadSectionOf(report), '').trimEnd()}\n\n${section}\n`;

export function overloadSection({
  environment,
  loadAverage,
  cells,
  overloads,
}: OverloadRun): string {
  return [
    begin,
    '## Overload',
    `${sentenceOf(environment)} Load average of the machine when the run began: ${short(loadAverage)}; where it exceeds the cores, other programs disturb every figure. Default settings. Each client sends its next request when it has its answer.`,
    tableOf(
      [
        ...['upstream latency', 'workload', 'clients', 'requests/s', 'textbook', 'ratio'],
        ...['p99 ms', 'textbook', 'refused', 'failed'],
      ],
      cells.map(({ upstreamMs, workload, clients, ours, textbook }) => [
        ...[`${upstreamMs} ms`, workload, String(clients)],
        ...[short(ours.perSecond.median), short(textbook.perSecond.median)],
        short(ours.perSecond.median / textbook.perSecond.median),
        ...[short(ours.p99Ms.median), short(textbook.p99Ms.median)],
        ...[String(ours.refused), String(ours.failed)],
      ]),
    ),
    behindOf(cells),
    'More requests than the gateway can serve, without its cache. "Capacity" is what 128 clients got done right before and after, "served" is a share of it; "per CPU-second" compares the requests served per CPU-second of the gateway with that, so it shows what refusals cost whatever else the machine does. Latencies are measured by the load, which shares a core with the mock upstream: where it sends late, they are its own. One request in fifty asks about purchases.',
    tableOf(
      [
        ...['workload', 'upstream latency', 'capacity/s', 'sent/s', 'served', 'per CPU-second'],
        ...['p50 ms', 'p99 ms', 'refused p99 ms', 'purchases p99 ms', 'purchases refused'],
        ...['failed', 'sent late p99 ms'],
      ],
      overloads.map((one) => [
        ...[one.title, `${one.upstreamMs} ms`, short(one.capacity), short(one.sent)],
        ...[percent(one.served / one.capacity), percent(one.perCpuShare)],
        ...[short(one.p50Ms), short(one.p99Ms), short(one.refusedP99Ms)],
        ...[short(one.purchasesP99Ms), String(one.purchasesRefused)],
        ...[String(one.failed), short(one.lateP99Ms)],
      ]),
    ),
    end,
  ].join('\n\n');
}

/** Names the cells in which the gateway was behind the textbook server, apart from the noise and within it. */
function behindOf(cells: readonly Cell[]): string {
  const isBehind = ({ ours, textbook }: Cell) =>
    ours.perSecond.median < textbook.perSecond.median || ours.p99Ms.median > textbook.p99Ms.median;
  const isApart = ({ ours, textbook }: Cell) =>
    ours.perSecond.high < textbook.perSecond.low || ours.p99Ms.low > textbook.p99Ms.high;
  const refused = cells.reduce((sum, { ours }) => sum + ours.refused, 0);
  const namesOf = (some: readonly Cell[]) =>
    some
      .map(({ upstreamMs, workload, clients }) => `${workload} at ${upstreamMs} ms with ${clients}`)
      .join(', ') || 'none';
  return [
    `${refused} requests were refused in ${cells.length} cells.`,
    `Cells in which every round of the gateway was behind every round of the textbook server, in throughput or in p99: ${namesOf(cells.filter(isApart))}.`,
    `Cells in which only the median was behind: ${namesOf(cells.filter((cell) => isBehind(cell) && !isApart(cell)))}.`,
  ].join(' ');
}
