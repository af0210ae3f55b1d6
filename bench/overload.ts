import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCores, moveTo } from './engine/cores.ts';
import { startFleet } from './engine/fleet.ts';
import { measureClosedLoop } from './overload/closed-loop.ts';
import { measureOpenLoop } from './overload/open-loop.ts';
import { environmentOf } from './report/environment.ts';
import { overloadSection, withOverloadSection } from './report/overload.ts';
import { servers, yardstick } from './servers/table.ts';
import { portfolioSize } from './workloads.ts';

// Whether ordinary numbers of clients are served without a refusal, beside a textbook GraphQL server in the same run, and
// what happens when more is requested than the gateway can serve.
//
//     npm run bench:overload                       all of it, about 20 minutes; writes a section of bench/results.md
//     npm run bench:overload -- --quick            short rounds, about 4 minutes; writes nothing without --write
//     npm run bench:overload -- --only W2 --quick  one workload

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    times: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const rounds = values.quick ? 1 : Number(values.rounds);
const seconds = values.quick ? 0.7 : Number(values.seconds);
const only = values.only.split(',').filter((id) => id !== '');
const onProgress = (line: string) => void process.stderr.write(`${line}\n`);

const cores = findCores();
if (cores) moveTo(cores.rest);
const [, loadAverage = Number.NaN] = loadavg();
const cells = await closedLoop();
const overloads = await measureOpenLoop({
  ...{ rounds, cores, onProgress, times: Number(values.times) },
  seconds: Math.max(1, seconds),
});
const section = overloadSection({
  environment: environmentOf({ pinned: cores !== null, rounds, seconds }),
  loadAverage,
  cells,
  overloads,
});
process.stdout.write(`${section}\n`);
if (values.write || (!values.quick && only.length === 0)) {
  const file = join(import.meta.dirname, 'results.md');
  writeFileSync(file, withOverloadSection(readFileSync(file, 'utf8'), section));
}

async function closedLoop() {
  const rows = servers.filter(({ id }) => id === 'ours' || id === yardstick);
  await using fleet = await startFleet({ domains: portfolioSize, cores, rows });
  return await measureClosedLoop(fleet, { rounds, seconds, only, onProgress });
}
