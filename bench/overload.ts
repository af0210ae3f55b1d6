import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { type Asker, createAsker, type Tally } from './engine/asker.ts';
import type { Child } from './engine/child.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { startFleet } from './engine/fleet.ts';
import { median, quantile } from './engine/statistics.ts';
import { domainOf } from './upstream/world.ts';
import { labelOverTlds, workloads } from './workloads.ts';

// What happens when three times as much is asked for as can be done: how much is still done, how long that takes, and how
// soon the rest is refused. One in fifty requests asks what became of purchases.
//
//     npm run bench:overload -- --rounds 10 --seconds 2 --times 3
//
// Where the CPU of the gateway is the bottleneck, over a service that is quicker than any, with requests that are as light
// as any that asks the service, and with pages of a search among them; where how long its turns may be is, which such pages
// make long; and where the calls that it may make at a time are. In each round what can be done is measured right before and
// right after, because it changes with what else the machine does.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '2' },
    times: { type: 'string', default: '3' },
    /** What the bottleneck's title begins with; all of them without it. */
    of: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const times = Number(values.times);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const gateway = {
  file: 'src/main.ts',
  title: '',
  speaks: 'graphql',
  env: {
    ...{ PORT: '0', LOG_LEVEL: 'silent', DEVELOPMENT: 'false', MAX_UPSTREAM_CALLS: '100' },
    // Nothing that is kept makes a request cheaper than another.
    ...{
      TLD_MAX_AGE_SECONDS: '600',
      DOMAIN_MAX_AGE_SECONDS: '0',
      AVAILABILITY_MAX_AGE_SECONDS: '0',
    },
  },
} as const;

const domains = 5_000;
const oneDomain = workloads.find(({ id }) => id === 'W2');
const page = labelOverTlds(50);

/** Bodies of requests, by a number that none has had before. */
type Body = (number: number) => string;

const domainBody: Body = (number) => {
  // One domain after the other, of so many that no two requests under way can share a call.
  const { name } = domainOf(number % domains);
  return JSON.stringify({ query: oneDomain?.document, variables: { name } });
};

const pageBody: Body = (number) =>
  JSON.stringify({ query: page.document, variables: page.ask(number).variables });

const mixedBody: Body = (number) => (number % 2 === 0 ? pageBody(number) : domainBody(number));

interface Bottleneck {
  readonly id: string;
  readonly upstreamMs: number;
  readonly concurrency: string;
  readonly bodyOf: Body;
  /** How many clients at a time are tried to find out with how many most is done. */
  readonly crowds: readonly number[];
}

const few = [12, 16, 24, 32, 48];
const many = [64, 96, 128, 192, 256];

const bottlenecks: readonly Bottleneck[] = [
  {
    id: 'CPU, a domain each',
    ...{ upstreamMs: 5, concurrency: '64', bodyOf: domainBody, crowds: few },
  },
  {
    id: 'CPU, a page of 50 names or a domain',
    ...{ upstreamMs: 5, concurrency: '64', bodyOf: mixedBody, crowds: few },
  },
  {
    id: 'long turns, over a service as slow as they are: a page of 50 names or a domain',
    ...{ upstreamMs: 150, concurrency: '256', bodyOf: mixedBody, crowds: many },
  },
  {
    id: 'calls at a time',
    ...{ upstreamMs: 20, concurrency: '16', bodyOf: domainBody, crowds: few },
  },
  {
    id: 'calls at a time, over a service as slow as they are',
    ...{ upstreamMs: 150, concurrency: '64', bodyOf: domainBody, crowds: many },
  },
];

const outcomes = '{ purchases(first: 1) { totalCount } }';
const outcomesEvery = 50;

/** So often each crowd is tried, one after the other. */
const tries = 3;
/** What can be done is looked for so long; until then each client has been answered once. */
const peakSeconds = { runIn: 0.5, counted: 1 };

const titles = {
  aloneP50: 'one client alone, p50 in ms',
  aloneP99: 'one client alone, p99 in ms',
  peak: 'peak, done a second',
  asked: 'asked a second',
  goodput: 'done a second',
  ofPeak: 'done, % of the peak',
  p50: 'done, p50 in ms',
  p99: 'done, p99 in ms',
  timesAlone: 'done, p99 as a multiple of that alone',
  refused: 'refused a second',
  refusedP50: 'refused, p50 in ms',
  refusedP99: 'refused, p99 in ms',
  outcomes: 'questions about purchases answered a second',
  outcomesP99: 'questions about purchases, p99 in ms',
  outcomesRefused: 'questions about purchases refused',
  odd: 'anything else',
  lateP99: 'handed over too late by who asks, p99 in ms',
  cpu: 'CPU of the gateway, % of a core',
  ownCpu: 'CPU of who asks, % of a core',
};

type Round = Readonly<Record<keyof typeof titles, number>>;

const cores = findCores();
if (cores) moveTo(cores.rest);
for (const { id, upstreamMs, concurrency, bodyOf, crowds } of bottlenecks) {
  if (!id.startsWith(values.of)) continue;
  const row = { ...gateway, id, env: { ...gateway.env, UPSTREAM_CONCURRENCY: concurrency } };
  await using fleet = await startFleet({ domains, cores, rows: [row] });
  await fleet.upstream.setLatency(upstreamMs);
  const [target] = fleet.targets;
  if (!target) throw new Error('There is no gateway.');
  const pool = new Pool(target.child.url, { connections: 512, pipelining: 1 });
  const urgentBody = JSON.stringify({ query: outcomes });
  const asker = createAsker({ pool, bodyOf, urgentBody, urgentEvery: outcomesEvery });
  await asker.closedLoop(16, { runIn: 6, counted: 0 });
  const clients = await findCrowd(asker, crowds);
  const all: Round[] = [];
  for (let at = 0; at < rounds; at += 1) all.push(await runRound(asker, clients, target.child));
  await pool.destroy();
  report(`${id}; most is done with ${clients} clients`, all);
}

function perSecond({ done, seconds }: Tally): number {
  return done.many / seconds;
}

/** With how many clients most is done. */
async function findCrowd(asker: Asker, crowds: readonly number[]): Promise<number> {
  const found = crowds.map((clients) => ({ clients, figures: [] as number[] }));
  for (let at = 0; at < tries; at += 1) {
    for (const { clients, figures } of found) {
      figures.push(perSecond(await asker.closedLoop(clients, peakSeconds)));
    }
  }
  const [most] = found.toSorted((one, other) => median(other.figures) - median(one.figures));
  return most?.clients ?? Number.NaN;
}

async function runRound(asker: Asker, clients: number, child: Child): Promise<Round> {
  const alone = await asker.closedLoop(1, { runIn: 0, counted: 1 });
  const peakBefore = perSecond(await asker.closedLoop(clients, peakSeconds));
  const asked = times * peakBefore;
  const before = { cpuMs: child.cpuMs() ?? 0, own: process.cpuUsage(), atMs: performance.now() };
  // The bound is found by looking.
  const over = await asker.openLoop(asked, { runIn: 1, counted: seconds });
  const tookMs = performance.now() - before.atMs;
  const { user, system } = process.cpuUsage(before.own);
  const cpuMs = (child.cpuMs() ?? 0) - before.cpuMs;
  const peak = (peakBefore + perSecond(await asker.closedLoop(clients, peakSeconds))) / 2;

  const { done, refused, urgentDone, urgentRefused, odd, late } = over;
  const aloneP99 = quantile(alone.done.all, 0.99);
  const p99 = quantile(done.all, 0.99);
  return {
    aloneP50: median(alone.done.all),
    aloneP99,
    peak,
    asked,
    goodput: perSecond(over),
    ofPeak: (100 * perSecond(over)) / peak,
    p50: median(done.all),
    p99,
    timesAlone: p99 / aloneP99,
    refused: refused.many / seconds,
    refusedP50: median(refused.all),
    refusedP99: quantile(refused.all, 0.99),
    outcomes: urgentDone.many / seconds,
    outcomesP99: quantile(urgentDone.all, 0.99),
    outcomesRefused: urgentRefused.many,
    odd: odd.many,
    lateP99: quantile(late.all, 0.99),
    cpu: (100 * cpuMs) / tookMs,
    ownCpu: (user + system) / 10 / tookMs,
  };
}

/** Medians of the rounds, with the least and the most. */
function report(bottleneck: string, all: readonly Round[]): void {
  print(`\nBottleneck: ${bottleneck}`);
  for (const [name, title] of Object.entries(titles)) {
    const figures = all.map((round) => round[name as keyof Round]);
    const of = (figure: number) => figure.toFixed(figure < 100 ? 1 : 0);
    const range = `${of(Math.min(...figures))} to ${of(Math.max(...figures))}`;
    print(`${title.padEnd(46)}${of(median(figures)).padStart(8)}   ${range}`);
  }
}
