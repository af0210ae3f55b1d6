import {
  drawing,
  type Legend,
  legendAt,
  lineFrom,
  logScale,
  marksBetween,
  pathThrough,
  textAt,
} from './svg.ts';

/** Rows of a legend beside each other. */
const perLine = 4;
const place = { left: 40, width: 940, height: 150, gap: 62, between: 40 };

/** A panel with a line for each row of the legend. */
export interface Panel {
  readonly title: string;
  /** Values of the horizontal axis, and their unit. */
  readonly sizes: readonly number[];
  readonly unit: string;
  readonly lines: readonly (readonly Point[])[];
}

type Point = readonly [size: number, value: number];

/** Marks of an axis; above that number, the powers of ten alone. */
const maxMarks = 6;

/** Panels in rows; all axes are logarithmic. */
export function lineGridOf(
  title: string,
  legend: readonly Legend[],
  rows: readonly (readonly Panel[])[],
): string {
  const top = 68 + Math.ceil(legend.length / perLine) * 16;
  const panels = rows.flatMap((row, at) => {
    const y = top + at * (place.height + place.gap);
    // Every panel of a row has the same axis, so that columns can be compared.
    const values = row.flatMap(({ lines }) => lines.flat().map(([, value]) => value));
    const range = [Math.min(...values) / 1.3, Math.max(...values) * 1.3] as const;
    const width = (place.width - place.left) / row.length;
    return row.map((panel, column) =>
      panelAt(panel, legend, range, [place.left + column * width, y, width]),
    );
  });
  const height = top + rows.length * (place.height + place.gap);
  return drawing(place.width + 20, height, title, [
    textAt(place.left, 28, title, { size: 16 }),
    legendAt(place.left, 54, legend, perLine),
    ...panels,
  ]);
}

function panelAt(
  { title, sizes, unit, lines }: Panel,
  legend: readonly Legend[],
  [low, high]: readonly [number, number],
  [left, y, width]: readonly [number, number, number],
): string {
  const [right, bottom] = [left + width - place.between, y + place.height];
  const across = logScale(sizes[0] ?? 1, sizes.at(-1) ?? 10, left + 6, right - 6);
  const up = logScale(low, high, bottom, y);
  const all = marksBetween(low, high);
  const powers = all.filter((mark) => /^[0.]*1/.test(String(mark)));
  const marks = all.length > maxMarks ? powers : all;
  return [
    textAt(left, y - 8, title, { size: 11 }),
    ...marks.map(
      (mark) =>
        lineFrom(left, up(mark), right, up(mark)) +
        textAt(left - 4, up(mark) + 4, String(mark), { anchor: 'end', size: 9 }),
    ),
    ...sizes.map((size) =>
      textAt(across(size), bottom + 14, compact(size), { anchor: 'middle', size: 9 }),
    ),
    textAt((left + right) / 2, bottom + 27, unit, { anchor: 'middle', size: 9 }),
    ...legend.map(({ colour }, at) => {
      const points = lines[at] ?? [];
      return pathThrough(
        points.map(([size, value]) => [across(size), up(value)] as const),
        colour,
      );
    }),
  ].join('');
}

const compact = (size: number) => (size >= 1000 ? `${size / 1000}k` : String(size));
