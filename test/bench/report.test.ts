import { describe, expect, test } from 'vitest';
import { load } from '../../bench/engine/measure.ts';
import { loadPlotOf } from '../../bench/report/load-plot.ts';
import { ratioPlotOf } from '../../bench/report/ratio-plot.ts';
import { type Run, reportOf } from '../../bench/report/results.ts';
import { servers } from '../../bench/servers/table.ts';
import { workloads } from '../../bench/workloads.ts';
import { resultWith } from './made-up-result.ts';

const atLoad = (server: string, ratio: number, clients: number) =>
  resultWith(server, ratio, { workload: 'W2', upstreamMs: load.upstreamMs, clients });
const noise = { median: 1.1, low: 0.9, high: 1.2 };
const run: Run = {
  environment: { node: 'v24.0.0', cores: 2, pinned: true, rounds: 5, seconds: 1, busy: 0.02 },
  results: [
    resultWith('ours', 3, { cpuRatio: { median: 3, low: 2.5, high: 4 } }),
    resultWith('mercurius', 1, { cpuRatio: noise }),
    resultWith('proxy', 1),
    ...load.clients.flatMap((clients) => [atLoad('ours', 2, clients), atLoad('proxy', 1, clients)]),
    { ...atLoad('mercurius', 1, 128), rateRatio: noise, refused: 7 },
    resultWith('proxy', 9, { upstreamMs: 20 }),
  ],
  startUps: [{ server: 'ours', firstAnswerMs: 250, idleRssMiB: 100 }],
  memory: [{ server: 'ours', rssMiB: 150 }],
};
/** Tables as lists of rows of cells, without the rule below the head. */
const tablesOf = (report: string) =>
  report
    .split('\n\n')
    .filter((part) => part.startsWith('|'))
    .map((part) =>
      part
        .split('\n')
        .filter((line) => !line.includes('---'))
        .map((line) => line.slice(2, -2).split(' | ')),
    );

const report = reportOf(run);
const tables = tablesOf(report);

describe('the report', () => {
  test('is three tables and two pictures', () => {
    expect(tables).toHaveLength(3);
    expect([...report.matchAll(/!\[\]\((.+)\)/g)].map(([, file]) => file)).toEqual([
      'results.svg',
      'results-load.svg',
    ]);
  });

  test('has a row for each server and a column for each workload', () => {
    const [[, ...ids] = [], ...rows] = tables[0] ?? [];

    expect(ids).toEqual(workloads.map(({ id }) => id));
    expect(rows.map(([title]) => title)).toEqual([
      ...servers.map(({ title }) => title),
      'upstream calls of ours per request',
    ]);
    expect(rows.map((row) => row.at(-1))).toEqual([
      '3.00 (2.50 – 4.00)',
      '–',
      '–',
      '–',
      '≈ 1 (0.90 – 1.20)',
      '1 = 100',
      '0',
    ]);
  });

  test('has a row for each number of clients, and marks a rate within the noise', () => {
    const [[, , ...titles] = [], ...rows] = tables[1] ?? [];

    expect(titles).toEqual(load.servers.map(({ title }) => title));
    expect(rows).toHaveLength(load.workloads.length * load.clients.length);
    expect(rows[0]).toEqual(['W2', '1', '100 / 4.00', '–', '–', '50.0 / 4.00']);
    expect(rows[3]).toEqual(['W2', '128', '100 / 4.00', '–', '≈ 50.0 / 4.00', '50.0 / 4.00']);
  });

  test('has start and memory', () => {
    expect(tables[2]?.slice(1)).toEqual([['ours, default settings', '250', '100', '150']]);
  });

  test('names refused requests', () => {
    expect(report).toContain(
      'Refused requests: Mercurius with JIT 7 of W2 with 128 clients at 150 ms.',
    );
    expect(reportOf({ ...run, results: [] })).toContain('No server refused a request.');
  });
});

test('the picture of clients has a line through each number of clients', () => {
  const drawn = loadPlotOf(run.results);

  const lengths = [...drawn.matchAll(/points="(.*?)"/g)].map(
    ([, points = '']) => points.split(' ').filter((point) => point !== '').length,
  );
  // Ours, the textbook server, Mercurius and the proxy, with W2, in the two rows of panels.
  const rowOfPanels = lengths.slice(0, lengths.length / 2);
  expect(rowOfPanels.slice(0, 4)).toEqual([4, 0, 1, 4]);
  expect(lengths.slice(lengths.length / 2)).toEqual(rowOfPanels);
});

test('both pictures are legible without results', () => {
  for (const drawn of [ratioPlotOf([]), loadPlotOf([])]) expect(drawn).not.toMatch(/NaN|Infinity/);
});
