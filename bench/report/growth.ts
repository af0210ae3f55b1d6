import { growing, type Point, upstreamMs } from '../growth/measure.ts';
import { allSeries } from '../growth/series.ts';
import { type Environment, sentenceOf } from './environment.ts';
import { short, tableOf } from './numbers.ts';

export interface GrowthRun {
  readonly environment: Environment;
  readonly points: readonly Point[];
}

/** How the cost of a request grows, as Markdown. */
export function growthReportOf({ environment, points }: GrowthRun): string {
  return [
    '# How cost grows',
    `${sentenceOf(environment)} The upstream takes ${upstreamMs} ms for each reply. Every server is restarted for each size and warmed up by a round that does not count.`,
    ...allSeries.flatMap(({ id, title, unit }) => {
      const own = points.filter(({ series }) => series === id);
      return own.length === 0 ? [] : [`## ${title}`, tableOfSeries(unit, own)];
    }),
  ].join('\n\n');
}

const tableOfSeries = (unit: string, points: readonly Point[]) =>
  tableOf(
    ['server', unit, 'CPU ms a request', 'p50 ms', 'calls a request', 'RSS, MiB'],
    growing.flatMap(({ id, title }) =>
      points
        .filter(({ server }) => server === id)
        .map(({ size, cpuMs, p50Ms, callsPerRequest, rssMiB, failure }) => [
          ...[title, size.toLocaleString('en')],
          ...(failure === null
            ? [short(cpuMs), short(p50Ms), short(callsPerRequest), short(rssMiB)]
            : [`no answer: ${failure}`, '–', '–', '–']),
        ]),
    ),
  );
