import { growing, type Point } from '../growth/measure.ts';
import { allSeries, type Series } from '../growth/series.ts';
import {
  colourOf,
  drawing,
  legendAt,
  lineFrom,
  logScale,
  marksBetween,
  pathThrough,
  textAt,
} from './svg.ts';

const width = 960;
const top = 84;
const panel = { width: 226, height: 150, left: 40, gap: 62 };

const figures = [
  { title: 'CPU ms a request', of: ({ cpuMs }: Point) => cpuMs },
  { title: 'p50 ms', of: ({ p50Ms }: Point) => p50Ms },
] as const;

type Figure = (typeof figures)[number];

/** A column for each quantity that grows, a row for each figure; both axes are logarithmic. */
export function growthPlotOf(points: readonly Point[]): string {
  const panels = figures.flatMap((figure, row) =>
    allSeries.map((series, column) => {
      const x = panel.left + column * (panel.width + 6);
      return panelOf(series, figure, points, x, top + row * (panel.height + panel.gap));
    }),
  );
  return drawing(width, top + figures.length * (panel.height + panel.gap), 'How cost grows', [
    textAt(panel.left, 28, 'How the cost of a request grows', { size: 16 }),
    legendAt(
      panel.left,
      54,
      growing.map(({ title }) => title),
      290,
    ),
    ...panels,
  ]);
}

function panelOf(
  { id, title, unit, sizes }: Series,
  figure: Figure,
  all: readonly Point[],
  left: number,
  y: number,
): string {
  const points = all.filter(({ series }) => series === id);
  // Every panel of a row has the same axis, so that columns can be compared.
  const values = all.flatMap((point) => figure.of(point) || []);
  const [low, high] = [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
  const [right, bottom] = [left + panel.width - 34, y + panel.height];
  const across = logScale(sizes[0] ?? 1, sizes.at(-1) ?? 10, left + 6, right - 6);
  const up = logScale(low, high, bottom, y);
  const marks = marksBetween(low, high).filter((mark) => /^[0.]*1/.test(String(mark)));

  return [
    textAt(left, y - 8, `${title}: ${figure.title}`, { size: 11 }),
    ...marks.map(
      (mark) =>
        lineFrom(left, up(mark), right, up(mark)) +
        textAt(left - 4, up(mark) + 4, String(mark), { anchor: 'end', size: 9 }),
    ),
    ...sizes.map((size) =>
      textAt(across(size), bottom + 14, compact(size), { anchor: 'middle', size: 9 }),
    ),
    textAt((left + right) / 2, bottom + 27, unit, { anchor: 'middle', size: 9 }),
    ...growing.map(({ id: server }, at) =>
      pathThrough(
        points
          .filter((point) => point.server === server)
          .flatMap((point) => {
            const value = figure.of(point);
            return value ? [[across(point.size), up(value)] as const] : [];
          }),
        colourOf(at),
      ),
    ),
  ].join('');
}

const compact = (size: number) => (size >= 1000 ? `${size / 1000}k` : String(size));
