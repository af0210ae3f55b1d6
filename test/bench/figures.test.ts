import { describe, expect, test } from 'vitest';
import { Tally } from '../../bench/engine/load-generator.ts';
import { resultsOf } from '../../bench/engine/measure.ts';
import type { Round } from '../../bench/engine/round.ts';
import { isWithinNoise, median, quantile, ratioOf } from '../../bench/engine/statistics.ts';
import { short } from '../../bench/report/numbers.ts';
import { ratioPlotOf } from '../../bench/report/ratio-plot.ts';
import { logScale, marksBetween } from '../../bench/report/svg.ts';
import { resultWith } from './made-up-result.ts';

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

  test('a ratio compares figures of the same turn', () => {
    expect(ratioOf([10, 40, 90], [5, 10, 30])).toEqual({ median: 3, low: 2, high: 4 });
  });

  test.each([
    [0.8, 1.1, true],
    [1, 1.3, true],
    [0.7, 0.9, false],
    [1.1, 1.3, false],
  ])('a range from %d to %d is within the noise: %j', (low, high, expected) => {
    expect(isWithinNoise({ median: 1.05, low, high })).toBe(expected);
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

describe('a load', () => {
  const tally = new Tally();
  Object.assign(tally, { fromAt: 1_000, toAt: 2_000 });
  tally.add('done', 800, 1_200);
  tally.add('done', 1_200, 1_600);
  tally.add('done', 1_600, 2_400);
  tally.add('done', 2_000, 2_400);
  tally.add('refused', 1_700, 1_800);

  test('counts a request as the share of its time within the window', () => {
    expect(tally.answered).toBe(0.5 + 1 + 0.5);
    expect(tally.seconds).toBe(1);
  });

  test('has the latencies of the requests that ended within the window', () => {
    expect(tally.latencies.done.all).toEqual([400, 400]);
    expect(tally.latencies.refused.all).toEqual([100]);
    expect(tally.sent).toBe(5);
  });
});

describe('servers that take turns', () => {
  const round = (answered: number, cpuMs: number | null, p50Ms: number): Round => ({
    ...{ answered, seconds: 2, cpuMs, p50Ms, p99Ms: 2 * p50Ms },
    ...{ refused: 1, callsPerRequest: 3 },
  });
  const [ours, proxy] = resultsOf(
    new Map([
      ['ours', [round(200, 1_000, 4), round(100, 1_000, 5), round(900, 1_000, 9)]],
      ['proxy', [round(100, 1_000, 1), round(100, 2_000, 1), round(300, 1_000, 1)]],
    ]),
  );

  test('have medians, and ratios within each turn', () => {
    expect(ours).toEqual({
      server: 'ours',
      ...{ perCpuSecond: 200, perSecond: 100, p50Ms: 5, p99Ms: 10 },
      cpuRatio: { median: 2, low: 2, high: 3 },
      rateRatio: { median: 2, low: 1, high: 3 },
      ...{ refused: 3, callsPerRequest: 3 },
    });
    expect(proxy?.cpuRatio).toEqual({ median: 1, low: 1, high: 1 });
  });

  test('have no CPU figure where CPU time is not available', () => {
    const [one] = resultsOf(new Map([['proxy', [round(100, null, 1)]]]));

    expect([one?.perCpuSecond, one?.cpuRatio.median]).toEqual([Number.NaN, Number.NaN]);
    expect(one?.perSecond).toBe(50);
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
    const drawn = ratioPlotOf([resultWith('ours', 0.5), resultWith('textbook', 4)]);

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
