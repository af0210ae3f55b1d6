import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, readArguments } from '../src/console/program.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { startFleet } from './engine/fleet.ts';
import { measure } from './engine/measure.ts';
import { profile } from './engine/profile.ts';
import { measureStartUp } from './engine/start-up.ts';
import { environmentOf, warningOf } from './report/environment.ts';
import { loadPlotOf } from './report/load-plot.ts';
import { ratioPlotOf } from './report/ratio-plot.ts';
import { type Run, reportOf } from './report/results.ts';
import { portfolioSize } from './workloads.ts';

const help = `Compares the cost of a request here, at three other GraphQL servers and at a proxy without a graph.

Usage: npm run bench -- [options]

  --quick           A first result in five minutes; writes nothing without --out.
  --only W1,W5      Runs these workloads; writes nothing without --out.
  --latency 0,150   Runs the parts with these upstream latencies, in ms.
  --rounds N        Default 4.
  --seconds N       Of each round; default 0.8.
  --out FOLDER      Where results* are written; default bench/ for a whole run.
  --profile FOLDER  Writes a CPU profile of each workload there instead.

A whole run takes about 13 minutes.
`;

const { values } = readArguments('bench', help, {
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '0.8' },
    only: { type: 'string', default: '' },
    latency: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    out: { type: 'string' },
  },
});
const rounds = values.quick ? 2 : Number(values.rounds);
const seconds = values.quick ? 0.25 : Number(values.seconds);
const listOf = (text: string) => text.split(',').filter((one) => one !== '');
const only = listOf(values.only);
const latencies = listOf(values.latency).map(Number);
const isWhole = !values.quick && only.length === 0 && latencies.length === 0;
const onProgress = (line: string) => void process.stderr.write(`${line}\n`);

const cores = findCores();
if (cores) moveTo(cores.rest);
const how = { rounds, seconds, only, latencies, onProgress };
if (values.profile) await profile({ ...how, folder: values.profile, cores });
else await runAll(values.out ?? (isWhole ? import.meta.dirname : null));

async function runAll(folder: string | null): Promise<void> {
  const environment = await environmentOf({ pinned: cores !== null, rounds, seconds });
  const warning = warningOf(environment);
  if (warning !== null) onProgress(warning);
  const run: Run = {
    environment,
    ...(await measure(() => startFleet({ domains: portfolioSize, cores }), how)),
    startUps: await measureStartUp(cores, Math.ceil(rounds / 2)),
  };
  const report = reportOf(run);
  print(report);
  if (folder === null) return;
  writeFileSync(join(folder, 'results.md'), `${report}\n`);
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join(folder, 'results.svg'), ratioPlotOf(run.results));
  writeFileSync(join(folder, 'results-load.svg'), loadPlotOf(run.results));
}
