import { type ServerRow, servers } from '../servers/table.ts';

// Pieces of a drawing that can be read on a light and on a dark background, with whatever sans-serif font there is.

const grey = '#7d8590';

/** In the order of the servers. */
const colours = ['#2f81f7', '#8957e5', grey, '#f778ba', '#d29922', '#3fb950'] as const;

/** A line of a legend. */
export interface Legend {
  readonly title: string;
  readonly colour: string;
}

const lines = [...colours, '#e34c26', '#56d4dd', '#b392f0', '#ffab70', '#85e89d'];

export const colourAt = (at: number): string => lines[at % lines.length] ?? grey;

/** The colour of a server, the same in every picture. */
export const colourOf = (row: ServerRow): string => colours[servers.indexOf(row)] ?? grey;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
}

export const textAt = (
  x: number,
  y: number,
  text: string,
  { anchor = 'start', size = 12 }: TextOptions = {},
): string =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}" fill="${grey}">${escaped(text)}</text>`;

export const lineFrom = (x1: number, y1: number, x2: number, y2: number, width = 1): string =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${grey}" stroke-width="${width}" stroke-opacity="${width > 1 ? 1 : 0.35}"/>`;

export const barAt = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"/>`;

const legendStep = 220;

/** Coloured squares with the names of servers, in one line. */
export const legendOf = (rows: readonly ServerRow[]): readonly Legend[] =>
  rows.map((row) => ({ title: row.title, colour: colourOf(row) }));

/** In lines of at most `perLine`. */
export const legendAt = (
  x: number,
  y: number,
  rows: readonly Legend[],
  perLine = rows.length,
): string =>
  rows
    .map(({ title, colour }, at) => {
      const left = x + (at % perLine) * legendStep;
      const top = y + Math.floor(at / perLine) * 16;
      return barAt(left, top - 10, 10, 10, colour) + textAt(left + 16, top, title);
    })
    .join('');

export const drawing = (
  width: number,
  height: number,
  title: string,
  parts: readonly string[],
): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" role="img">`,
    `<title>${escaped(title)}</title>`,
    ...parts,
    '</svg>\n',
  ].join('\n');

/** From values to places on a logarithmic axis. */
export const logScale =
  (low: number, high: number, from: number, to: number) =>
  (value: number): number =>
    from + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (to - from);

/** The marks of such an axis: 1, 2 and 5 of every power of ten between its ends. */
export function marksBetween(low: number, high: number): readonly number[] {
  const powers = Array.from({ length: 24 }, (_, at) => 10 ** (at - 10));
  return powers
    .flatMap((power) => [1, 2, 5].map((digit) => Number((digit * power).toPrecision(1))))
    .filter((mark) => mark >= low && mark <= high);
}

/** A line through points, each with a dot. */
export const pathThrough = (
  points: readonly (readonly [x: number, y: number])[],
  stroke: string,
): string =>
  [
    `<polyline points="${points.map((point) => point.map(round).join(',')).join(' ')}" fill="none" stroke="${stroke}" stroke-width="2"/>`,
    ...points.map(([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${stroke}"/>`),
  ].join('');

const round = (value: number) => Math.round(value * 10) / 10;
