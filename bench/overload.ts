import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { Child } from './engine/child.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { startFleet } from './engine/fleet.ts';
import { post } from './engine/post.ts';
import { median, quantile } from './engine/statistics.ts';
import { domainOf } from './upstream/world.ts';
import { workloads } from './workloads.ts';

// What happens when three times as much is asked for as can be done: how much is still done, how long that takes, and how
// soon the rest is refused. One in fifty requests asks what became of purchases.
//
//     npm run bench:overload -- --rounds 5 --seconds 4 --times 3
//
// Requests come when they come, whether or not earlier ones were answered; each is timed from when it should have been
// sent. Twice: where the CPU of the gateway is the bottleneck, and where the calls that it may make at a time are. What can
// be done is found anew in each round, because it changes with what else the machine does.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    times: { type: 'string', default: '3' },
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

const bottlenecks = [
  { id: 'CPU', upstreamMs: 5, concurrency: '64' },
  { id: 'calls at a time', upstreamMs: 20, concurrency: '16' },
];

const domains = 5_000;
const document = workloads.find(({ id }) => id === 'W2')?.document;
const outcomes = '{ operations(first: 1) { totalCount } }';
const outcomesEvery = 50;

type Kind = 'done' | 'refused' | 'odd';

interface Seen {
  readonly kind: Kind;
  readonly ms: number;
  readonly isUrgent: boolean;
}

/** How many clients at a time are tried to find out what can be done at most. */
const crowds = [12, 16, 24, 32];
/** Whoever is refused, and waits for nobody else, comes back after so long. */
const comesBackMs = 10;

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
  cpu: 'CPU of the gateway, % of a core',
  ownCpu: 'CPU of who asks, % of a core',
};

let lastNumber = 0;

const cores = findCores();
if (cores) moveTo(cores.rest);
for (const { id, upstreamMs, concurrency } of bottlenecks) {
  const row = { ...gateway, id, env: { ...gateway.env, UPSTREAM_CONCURRENCY: concurrency } };
  await using fleet = await startFleet({ domains, cores, rows: [row] });
  await fleet.upstream.setLatency(upstreamMs);
  const [target] = fleet.targets;
  if (!target) throw new Error('There is no gateway.');
  const pool = new Pool(target.child.url, { connections: 512, pipelining: 1 });
  await closedLoop(pool, 16, 6);
  const all: Round[] = [];
  for (let at = 0; at < rounds; at += 1) all.push(await runRound(pool, target.child));
  await pool.destroy();
  report(id, all);
}

type Round = Readonly<Record<keyof typeof titles, number>>;

async function runRound(pool: Pool, child: Child): Promise<Round> {
  const alone = await closedLoop(pool, 1, 2);
  let peak = 0;
  for (const clients of crowds)
    peak = Math.max(peak, (await closedLoop(pool, clients, 2)).perSecond);
  // First to get used to it: the bound is found by looking.
  await openLoop(pool, peak * times, 1);
  const before = { cpuMs: child.cpuMs() ?? 0, own: process.cpuUsage(), atMs: performance.now() };
  const over = await openLoop(pool, peak * times, seconds);
  const tookMs = performance.now() - before.atMs;
  const { user, system } = process.cpuUsage(before.own);

  const of = (kind: Kind, isUrgent: boolean) =>
    over.filter((one) => one.kind === kind && one.isUrgent === isUrgent).map(({ ms }) => ms);
  const done = of('done', false);
  const refused = of('refused', false);
  const outcomes = of('done', true);
  const aloneP99 = quantile(alone.all, 0.99);
  const p99 = quantile(done, 0.99);
  const goodput = done.length / seconds;
  return {
    aloneP50: median(alone.all),
    aloneP99,
    peak,
    asked: over.length / seconds,
    goodput,
    ofPeak: (100 * goodput) / peak,
    p50: median(done),
    p99,
    timesAlone: p99 / aloneP99,
    refused: refused.length / seconds,
    refusedP50: median(refused),
    refusedP99: quantile(refused, 0.99),
    outcomes: outcomes.length / seconds,
    outcomesP99: quantile(outcomes, 0.99),
    outcomesRefused: of('refused', true).length,
    odd: over.filter(({ kind }) => kind === 'odd').length,
    cpu: (100 * ((child.cpuMs() ?? 0) - before.cpuMs)) / tookMs,
    ownCpu: (user + system) / 10 / tookMs,
  };
}

/** Medians of the rounds, with the least and the most. */
function report(id: string, all: readonly Round[]): void {
  print(`\nBottleneck: ${id}`);
  for (const [name, title] of Object.entries(titles)) {
    const figures = all.map((round) => round[name as keyof Round]);
    const of = (figure: number) => figure.toFixed(figure < 100 ? 1 : 0);
    const range = `${of(Math.min(...figures))} to ${of(Math.max(...figures))}`;
    print(`${title.padEnd(46)}${of(median(figures)).padStart(8)}   ${range}`);
  }
}

function bodyOf(number: number): string {
  // One domain after the other, of so many that no two requests under way can share a call.
  const { name } = domainOf(number % domains);
  return JSON.stringify({ query: document, variables: { name } });
}

async function askOnce(pool: Pool, dueAt: number): Promise<Seen> {
  lastNumber += 1;
  const isUrgent = lastNumber % outcomesEvery === 0;
  const body = isUrgent ? JSON.stringify({ query: outcomes }) : bodyOf(lastNumber);
  const { status, text } = await post(pool, body);
  const ms = performance.now() - dueAt;
  if (status === 503 && text.includes('"OVERLOADED"')) return { kind: 'refused', ms, isUrgent };
  const isDone = status === 200 && !text.includes('"errors":[');
  return { kind: isDone ? 'done' : 'odd', ms, isUrgent };
}

async function closedLoop(pool: Pool, clients: number, forSeconds: number) {
  const all: number[] = [];
  const beganAt = performance.now();
  const endAt = beganAt + forSeconds * 1000;
  const client = async () => {
    while (performance.now() < endAt) {
      const { kind, ms, isUrgent } = await askOnce(pool, performance.now());
      if (kind === 'done' && !isUrgent) all.push(ms);
      if (kind === 'refused') await new Promise((resolve) => setTimeout(resolve, comesBackMs));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { all, perSecond: (all.length * 1000) / (performance.now() - beganAt) };
}

async function openLoop(pool: Pool, perSecond: number, forSeconds: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  const pending: Promise<unknown>[] = [];
  const beganAt = performance.now();
  const many = Math.floor(perSecond * forSeconds);
  for (let at = 0; at < many; ) {
    const dueNow = Math.min(many, Math.ceil(((performance.now() - beganAt) * perSecond) / 1000));
    for (; at < dueNow; at += 1) {
      const dueAt = beganAt + (at * 1000) / perSecond;
      pending.push(
        askOnce(pool, dueAt).then(
          (one) => seen.push(one),
          () => seen.push({ kind: 'odd', ms: performance.now() - dueAt, isUrgent: false }),
        ),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  return seen;
}
