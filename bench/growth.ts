import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCores, moveTo } from './engine/cores.ts';
import { measureGrowth } from './growth/measure.ts';
import { allSeries } from './growth/series.ts';
import { environmentOf } from './report/environment.ts';
import { type GrowthRun, growthReportOf } from './report/growth.ts';
import { growthPlotOf } from './report/growth-plot.ts';

// How the cost of a request grows with the portfolio, with the names of one check and with the number of clients.
//
//     npm run bench:growth                        all of it; writes bench/growth.{md,json,svg}
//     npm run bench:growth -- --quick             up to 10,000 domains, short rounds; writes nothing without --out
//     npm run bench:growth -- --only names,users

const { values } = parseArgs({
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
  environment: environmentOf({ pinned: cores !== null, rounds: 1, seconds }),
  points: await measureGrowth(
    allSeries.filter(({ id }) => only.length === 0 || only.includes(id)),
    {
      ...{ cores, seconds, mostDomains: values.quick ? 10_000 : Number.POSITIVE_INFINITY },
      onProgress: (line) => void process.stderr.write(`${line}\n`),
    },
  ),
};
const report = growthReportOf(run);
process.stdout.write(`${report}\n`);
if (folder !== null) {
  writeFileSync(join(folder, 'growth.md'), `${report}\n\n![](growth.svg)\n`);
  writeFileSync(join(folder, 'growth.json'), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join(folder, 'growth.svg'), growthPlotOf(run.points));
}
