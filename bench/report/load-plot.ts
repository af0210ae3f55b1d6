import { load, type Result } from '../engine/measure.ts';
import { lineGridOf } from './line-grid.ts';
import { legendOf } from './svg.ts';

const figures = [
  { title: 'requests per second', of: ({ perSecond }: Result) => perSecond },
  { title: 'p50 ms', of: ({ p50Ms }: Result) => p50Ms },
] as const;

/** A column for each workload, a row for each figure. */
export function loadPlotOf(results: readonly Result[]): string {
  const linesOf = (workload: string, of: (result: Result) => number | null) =>
    load.servers.map(({ id }) =>
      results
        .filter((one) => one.upstreamMs === load.upstreamMs)
        .filter((one) => one.workload === workload && one.server === id)
        .flatMap((one) => {
          const value = of(one);
          return value ? [[one.clients, value] as const] : [];
        }),
    );
  return lineGridOf(
    `More clients, with an upstream that takes ${load.upstreamMs} ms`,
    legendOf(load.servers),
    figures.map((figure) =>
      load.workloads.map((workload) => ({
        ...{ title: `${workload}: ${figure.title}`, unit: 'clients', sizes: load.clients },
        lines: linesOf(workload, figure.of),
      })),
    ),
  );
}
