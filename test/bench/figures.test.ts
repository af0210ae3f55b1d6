import { describe, expect, test } from 'vitest';
import { median, quantile, spread } from '../../bench/engine/statistics.ts';
import { short } from '../../bench/report/numbers.ts';
import { ratioPlotOf } from '../../bench/report/ratio-plot.ts';
import { logScale, marksBetween } from '../../bench/report/svg.ts';

describe('figures of several rounds', () => {
  test.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test('a quantile is a measured value', () => {
    const values = Array.from({ length: 200 }, (_, at) => 200 - at);

    expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 100, 198, 200]);
    expect(quantile([7], 0.99)).toBe(7);
  });

  test('the spread is a share of the median', () => {
    expect(spread([90, 100, 120])).toBeCloseTo(0.3);
    expect(spread([5, 5])).toBe(0);
  });

  test('no measurement has no figure', () => {
    expect([median([]), quantile([], 0.5)]).toEqual([Number.NaN, Number.NaN]);
  });

  test.each([
    [12_345, '12,300'],
    [987.6, '988'],
    [45.67, '45.7'],
    [1, '1.00'],
    [0.1234, '0.12'],
    [0, '0'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('%j is shown as %s', (value, shown) => {
    expect(short(value)).toBe(shown);
  });
});

describe('the plot', () => {
  test('equal ratios are equally far apart', () => {
    const place = logScale(0.1, 10, 0, 200);

    expect([0.1, 1, 10].map((ratio) => Math.round(place(ratio)))).toEqual([0, 100, 200]);
    expect(place(2) - place(1)).toBeCloseTo(place(0.5) - place(0.25));
  });

  test('marks are round and lie on the axis', () => {
    expect(marksBetween(0.3, 12)).toEqual([0.5, 1, 2, 5, 10]);
  });

  test('a slower server is below the line, a faster one above', () => {
    const drawn = ratioPlotOf([ratio('ours', 0.5), ratio('proxy', 4)]);

    const bars = [...drawn.matchAll(/<rect x="\S+" y="(\S+)" width="\S+" height="(\S+)"/g)]
      .map(([, y, height]) => ({ y: Number(y), height: Number(height) }))
      .filter(({ height }) => height !== 10);
    const line = Number(/y1="(\S+)"[^>]*stroke-width="2"/.exec(drawn)?.[1]);
    expect(bars).toHaveLength(2);
    expect(bars[0]?.y).toBeCloseTo(line);
    expect((bars[1]?.y ?? 0) + (bars[1]?.height ?? 0)).toBeCloseTo(line);
    expect((bars[1]?.height ?? 0) / (bars[0]?.height ?? 1)).toBeCloseTo(2, 1);
  });
});

const ratio = (server: string, value: number) => ({
  ...{ workload: 'W5', server, upstreamMs: 0, ratio: value, ratioLow: value, ratioHigh: value },
  ...{ perCpuSecond: 1, perCpuSecondSpread: 0, perSecond: 1, p50Ms: 1, p99Ms: 1 },
  callsPerRequest: 0,
});
