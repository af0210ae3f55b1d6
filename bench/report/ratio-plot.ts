import type { Result } from '../engine/measure.ts';
import { servers, yardstick } from '../servers/table.ts';
import { workloads } from '../workloads.ts';
import { short } from './numbers.ts';
import {
  barAt,
  colourOf,
  drawing,
  legendAt,
  legendOf,
  lineFrom,
  logScale,
  marksBetween,
  textAt,
} from './svg.ts';

const width = 1_440;
const height = 440;
const area = { left: 56, right: 1_420, top: 84, bottom: 372 };

/** A group of bars for each workload: requests per CPU-second against the yardstick, with the range of the rounds. */
export function ratioPlotOf(all: readonly Result[]): string {
  const results = all.filter(
    ({ upstreamMs, cpuRatio }) => upstreamMs === 0 && Number.isFinite(cpuRatio.median),
  );
  const seen = workloads.filter(({ id }) => results.some(({ workload }) => workload === id));
  const others = servers.filter(({ id }) => id !== yardstick);
  const low = Math.min(0.5, ...results.map(({ cpuRatio }) => cpuRatio.low)) / 1.2;
  const high = Math.max(2, ...results.map(({ cpuRatio }) => cpuRatio.high)) * 1.3;
  const place = logScale(low, high, area.bottom, area.top);
  const group = (area.right - area.left) / Math.max(1, seen.length);
  const bar = (group - 20) / others.length;

  const axis = marksBetween(low, high).map(
    (mark) =>
      lineFrom(area.left, place(mark), area.right, place(mark), mark === 1 ? 2 : 1) +
      textAt(area.left - 8, place(mark) + 4, `${mark}×`, { anchor: 'end', size: 11 }),
  );
  const groups = seen.map(({ id, title }, at) => {
    const left = area.left + at * group;
    const middle = left + group / 2;
    const bars = others.map((row, number) => {
      const one = results.find(({ workload, server }) => workload === id && server === row.id);
      return one ? barOf(one, left + 10 + number * bar, bar - 3, colourOf(row), place) : '';
    });
    return [
      ...bars,
      textAt(middle, area.bottom + 22, id, { anchor: 'middle', size: 13 }),
      ...linesOf(title).map((line, number) =>
        textAt(middle, area.bottom + 38 + number * 13, line, { anchor: 'middle', size: 10 }),
      ),
    ].join('');
  });
  return drawing(width, height, 'Requests per CPU-second against a plain proxy', [
    textAt(area.left, 28, 'Requests per CPU-second; 1× is a plain proxy without a graph', {
      size: 16,
    }),
    legendAt(area.left, 54, legendOf(others)),
    ...axis,
    ...groups,
  ]);
}

function barOf(
  { cpuRatio: { median, low, high } }: Result,
  x: number,
  width: number,
  fill: string,
  place: (value: number) => number,
): string {
  const [one, end] = [place(1), place(median)];
  const middle = x + width / 2;
  const above = Math.min(one, end, place(high)) - 5;
  return [
    barAt(x, Math.min(one, end), width, Math.abs(one - end), fill),
    lineFrom(middle, place(low), middle, place(high), 1.5),
    textAt(middle, above, short(median), { anchor: 'middle', size: 11 }),
  ].join('');
}

/** Two lines at most, broken where a word ends. */
function linesOf(title: string): readonly string[] {
  const words = title.split(' ');
  const half = words.findIndex(
    (_, at) => words.slice(0, at + 1).join(' ').length >= title.length / 2,
  );
  return title.length < 20
    ? [title]
    : [words.slice(0, half + 1).join(' '), words.slice(half + 1).join(' ')];
}
