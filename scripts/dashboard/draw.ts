import { short } from '../../bench/report/numbers.ts';
import { barAt, colourOf, drawing, grey, textAt } from '../../bench/report/svg.ts';
import { evaluate, type Scrape } from './promql.ts';
import type { Dashboard, Panel } from './read.ts';

const width = 900;
const [columns, rowHeight, headHeight] = [24, 24, 34];
/** Names in a line of a legend, and lines of it. */
const [namesInLine, linesOfLegend] = [3, 2];

interface Line {
  readonly name: string;
  /** Null where there was nothing to draw. */
  readonly values: readonly (number | null)[];
}

/** The dashboard over a series of scrapes, each panel where Grafana has it. */
export function drawDashboard(dashboard: Dashboard, scrapes: readonly Scrape[], caption: string) {
  const bottom = Math.max(...dashboard.panels.map(({ gridPos: { y, h } }) => y + h));
  const height = headHeight + bottom * rowHeight + 8;
  return drawing(width, height, dashboard.title, [
    barAt(0, 0, width, height, '#ffffff'),
    textAt(10, 22, `${dashboard.title} – ${caption}`, { size: 13 }),
    ...dashboard.panels.map((panel) => drawPanel(panel, scrapes)),
  ]);
}

function drawPanel(panel: Panel, scrapes: readonly Scrape[]): string {
  const { gridPos, title, type } = panel;
  const x = (gridPos.x / columns) * width + 4;
  const y = headHeight + gridPos.y * rowHeight;
  const w = (gridPos.w / columns) * width - 8;
  const h = gridPos.h * rowHeight - 6;
  if (type === 'row') return textAt(x + 2, y + 17, title, { size: 14 });
  const lines = linesOf(panel, scrapes);
  const unit = panel.fieldConfig?.defaults.unit ?? 'short';
  return [
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${grey}" stroke-opacity="0.35"/>`,
    textAt(x + 8, y + 16, title, { size: 11 }),
    type === 'stat'
      ? textAt(x + w / 2, y + h / 2 + 16, shown(lines[0]?.values.at(-1) ?? null, unit), {
          anchor: 'middle',
          size: 26,
        })
      : drawLines(lines, unit, { x: x + 8, y: y + 24, w: w - 16, h: h - 60 }),
  ].join('');
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function drawLines(lines: readonly Line[], unit: string, { x, y, w, h }: Box): string {
  const numbers = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  if (numbers.length === 0) return textAt(x + w / 2, y + h / 2, 'nothing', { anchor: 'middle' });
  const top = Math.max(...numbers) || 1;
  const pointAt = (value: number, at: number, count: number) =>
    `${(x + (w * at) / Math.max(1, count - 1)).toFixed(1)},${(y + h - (h * value) / top).toFixed(1)}`;
  const drawn = lines.map(({ values }, index) => {
    const points = values.flatMap((value, at) =>
      value === null ? [] : [pointAt(value, at, values.length)],
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colourOf(index)}" stroke-width="1.5"/>`;
  });
  const step = w / namesInLine;
  const legend = lines.slice(0, namesInLine * linesOfLegend).map(({ name }, at) => {
    const from = x + (at % namesInLine) * step;
    const below = y + h + 13 + 13 * Math.floor(at / namesInLine);
    const letters = Math.floor((step - 12) / 5);
    const text = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
    return barAt(from, below - 7, 7, 7, colourOf(at)) + textAt(from + 10, below, text, { size: 9 });
  });
  return [textAt(x + w, y, shown(top, unit), { anchor: 'end', size: 9 }), ...drawn, ...legend].join(
    '',
  );
}

function linesOf({ targets = [] }: Panel, scrapes: readonly Scrape[]): readonly Line[] {
  const lines = new Map<string, (number | null)[]>();
  for (const at of scrapes.keys()) {
    for (const { expr, legendFormat } of targets) {
      for (const { labels, value } of evaluate(expr, scrapes.slice(0, at + 1))) {
        const name = legendFormat.replace(
          /\{\{(\w+)\}\}/g,
          (_all, key) => labels[key] ?? 'gateway',
        );
        const values = lines.get(name) ?? Array.from({ length: scrapes.length }, () => null);
        values[at] = value;
        lines.set(name, values);
      }
    }
  }
  // What is largest at the end comes first: a legend may have no room for all.
  return [...lines]
    .map(([name, values]) => ({ name, values }))
    .sort((one, other) => (other.values.at(-1) ?? 0) - (one.values.at(-1) ?? 0));
}

function shown(value: number | null, unit: string): string {
  if (value === null) return '–';
  if (unit === 's') return value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`;
  if (unit === 'bytes') return `${short(value / 2 ** 20)} MiB`;
  if (unit === 'percentunit') return `${Math.round(value * 100)} %`;
  return Number.isInteger(value) ? String(value) : short(value);
}
