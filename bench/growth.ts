import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, readArguments } from '../src/console/program.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { measureGrowth } from './growth/measure.ts';
import { allSeries } from './growth/series.ts';
import { environmentOf } from './report/environment.ts';
import { type GrowthRun, growthReportOf } from './report/growth.ts';
import { growthPlotOf } from './report/growth-plot.ts';

const help = `Measures the cost of a request for growing portfolios, checks of more names, and more clients.

Usage: npm run bench:growth -- [options]

  --quick             At most 10,000 domains, short rounds; writes nothing without --out.
  --only names,users  Runs these series; writes nothing without --out.
  --seconds N         Of each point; default 3.
  --out FOLDER        Where growth.{md,json,svg} are written; default bench/ for a whole run.
`;

const { values } = readArguments('bench:growth', help, {
  options: {
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const seconds = values.quick ? 0.5 : Number(values.seconds);
const only = values.only.split(',').filter((id) => id !== '');
const isWhole = !values.quick && only.length === 0;
const folder = values.out ?? (isWhole ? import.meta.dirname : null);

const cores = findCores();
if (cores) moveTo(cores.rest);
const run: GrowthRun = {
  environment: await environmentOf({ pinned: cores !== null, rounds: 1, seconds }),
  points: await measureGrowth(
    allSeries.filter(({ id }) => only.length === 0 || only.includes(id)),
    {
      ...{ cores, seconds, maxDomains: values.quick ? 10_000 : Number.POSITIVE_INFINITY },
      onProgress: (line) => void process.stderr.write(`${line}\n`),
    },
  ),
};
const report = growthReportOf(run);
print(report);
if (folder !== null) {
  writeFileSync(join(folder, 'growth.md'), `${report}\n\n![](growth.svg)\n`);
  writeFileSync(join(folder, 'growth.json'), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join(folder, 'growth.svg'), growthPlotOf(run.points));
}
