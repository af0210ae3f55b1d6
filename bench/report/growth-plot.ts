import { growing, type Point } from '../growth/measure.ts';
import { allSeries } from '../growth/series.ts';
import { lineGridOf } from './line-grid.ts';
import { legendOf } from './svg.ts';

const figures = [
  { title: 'CPU ms a request', of: ({ cpuMs }: Point) => cpuMs },
  { title: 'p50 ms', of: ({ p50Ms }: Point) => p50Ms },
] as const;

/** A column for each quantity that grows, a row for each figure. */
export function growthPlotOf(points: readonly Point[]): string {
  const linesOf = (series: string, of: (point: Point) => number | null) =>
    growing.map(({ id }) =>
      points
        .filter((point) => point.series === series && point.server === id)
        .flatMap((point) => {
          const value = of(point);
          return value ? [[point.size, value] as const] : [];
        }),
    );
  return lineGridOf(
    'How the cost of a request grows',
    legendOf(growing),
    figures.map((figure) =>
      allSeries.map(({ id, title, unit, sizes }) => ({
        ...{ title: `${title}: ${figure.title}`, unit, sizes },
        lines: linesOf(id, figure.of),
      })),
    ),
  );
}
