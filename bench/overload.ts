import { print, readArguments } from '../src/console/program.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { measureOpenLoop, measureRefusing } from './engine/open-loop.ts';
import { environmentOf, sentenceOf } from './report/environment.ts';
import { percent, short, tableOf } from './report/numbers.ts';

const help = `Measures what happens when more is requested than the gateway can serve. It takes about 3 minutes.

Usage: npm run bench:overload -- [options]

  --times N    Requests sent, as a multiple of the capacity; default 3.
  --rounds N   Default 3.
  --seconds N  Of each round; default 2.
  --latency N  Only with this upstream latency in milliseconds: 0, 20 or 150.
`;

const { values } = readArguments('bench:overload', help, {
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    times: { type: 'string', default: '3' },
    latency: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

const cores = findCores();
if (cores) moveTo(cores.rest);
const environment = await environmentOf({ pinned: cores !== null, rounds, seconds });
const times = Number(values.times);
const options = {
  ...{ rounds, seconds, times, cores },
  only: values.latency === undefined ? null : Number(values.latency),
  onProgress: (line: string) => void process.stderr.write(`${line}\n`),
};
const refusingMs = await measureRefusing(options);
const overloads = await measureOpenLoop(options);
/** The share of the capacity that a server with one core serves when a refusal takes `share` of the CPU time of a request. */
const servedWith = (share: number) => Math.max(0, (1 - times * share) / (1 - share));
const report = [
  sentenceOf(environment),
  `Default settings, without caching. "Capacity" is what 128 clients received right before and after, "served" is a share of it. "Request" is the CPU time of a request at the capacity, and "refusal" the rest of the CPU time in the overload for each refused request. A server that reads the body and only refuses needs ${short(refusingMs)} ms. "Limit" is the share that a server would serve whose requests take as long as ours, and whose refusals take that time, if its CPU alone limits it. Where the load generator sends late, the latencies are its own. One request in fifty reads purchases.`,
  tableOf(
    [
      ...[
        'workload',
        'upstream latency',
        'capacity/s',
        'sent/s',
        'served',
        'limit',
        'request CPU ms',
        'refusal CPU ms',
      ],
      ...['p50 ms', 'p99 ms', 'refused p99 ms', 'purchases p99 ms', 'purchases refused'],
      ...['failed', 'sent late p99 ms'],
    ],
    overloads.map((one) => [
      ...[one.title, `${one.upstreamMs} ms`, short(one.capacity), short(one.sent)],
      ...[percent(one.served / one.capacity), percent(servedWith(refusingMs / one.requestCpuMs))],
      ...[short(one.requestCpuMs), short(one.refusalCpuMs)],
      ...[short(one.p50Ms), short(one.p99Ms), short(one.refusedP99Ms)],
      ...[short(one.purchasesP99Ms), String(one.purchasesRefused)],
      ...[String(one.failed), short(one.lateP99Ms)],
    ]),
  ),
].join('\n\n');
print(report);
