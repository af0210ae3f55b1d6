import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { Child } from './engine/child.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { startFleet } from './engine/fleet.ts';
import { post } from './engine/post.ts';
import { median, quantile } from './engine/statistics.ts';
import { domainOf } from './upstream/world.ts';
import { labelOverTlds, workloads } from './workloads.ts';

// What happens when three times as much is asked for as can be done: how much is still done, how long that takes, and how
// soon the rest is refused. One in fifty requests asks what became of purchases.
//
//     npm run bench:overload -- --rounds 5 --seconds 4 --times 3
//
// Requests come when they come, whether or not earlier ones were answered; each is timed from when it should have been
// sent. Three times: where the CPU of the gateway is the bottleneck, with requests that are as light as any that asks the
// service, and with pages of a search among them; and where the calls that it may make at a time are. What can be done is
// found anew in each round, half of it before and half of it after, because it changes with what else the machine does.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
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
}

const bottlenecks: readonly Bottleneck[] = [
  { id: 'CPU, a domain each', upstreamMs: 5, concurrency: '64', bodyOf: domainBody },
  {
    id: 'CPU, a page of 50 names or a domain',
    upstreamMs: 5,
    concurrency: '64',
    bodyOf: mixedBody,
  },
  { id: 'calls at a time', upstreamMs: 20, concurrency: '16', bodyOf: domainBody },
];

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
for (const { id, upstreamMs, concurrency, bodyOf } of bottlenecks) {
  if (!id.startsWith(values.of)) continue;
  const row = { ...gateway, id, env: { ...gateway.env, UPSTREAM_CONCURRENCY: concurrency } };
  await using fleet = await startFleet({ domains, cores, rows: [row] });
  await fleet.upstream.setLatency(upstreamMs);
  const [target] = fleet.targets;
  if (!target) throw new Error('There is no gateway.');
  const pool = new Pool(target.child.url, { connections: 512, pipelining: 1 });
  const asker = { pool, bodyOf };
  await closedLoop(asker, 16, 6);
  const all: Round[] = [];
  for (let at = 0; at < rounds; at += 1) all.push(await runRound(asker, target.child));
  await pool.destroy();
  report(id, all);
}

interface Asker {
  readonly pool: Pool;
  readonly bodyOf: Body;
}

type Round = Readonly<Record<keyof typeof titles, number>>;

async function runRound(asker: Asker, child: Child): Promise<Round> {
  const earlier = await tryAll(asker);
  const asked = times * Math.max(...earlier.perSecond);
  // First to get used to it: the bound is found by looking.
  await openLoop(asker, asked, 1);
  const before = { cpuMs: child.cpuMs() ?? 0, own: process.cpuUsage(), atMs: performance.now() };
  const over = await openLoop(asker, asked, seconds);
  const tookMs = performance.now() - before.atMs;
  const { user, system } = process.cpuUsage(before.own);
  const cpuMs = (child.cpuMs() ?? 0) - before.cpuMs;
  const later = await tryAll(asker);
  const alone = [...earlier.alone, ...later.alone];
  const peak = Math.max(
    ...earlier.perSecond.map((perSecond, at) => (perSecond + (later.perSecond[at] ?? 0)) / 2),
  );

  const of = (kind: Kind, isUrgent: boolean) =>
    over.filter((one) => one.kind === kind && one.isUrgent === isUrgent).map(({ ms }) => ms);
  const done = of('done', false);
  const refused = of('refused', false);
  const outcomes = of('done', true);
  const aloneP99 = quantile(alone, 0.99);
  const p99 = quantile(done, 0.99);
  const goodput = done.length / seconds;
  return {
    aloneP50: median(alone),
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
    cpu: (100 * cpuMs) / tookMs,
    ownCpu: (user + system) / 10 / tookMs,
  };
}

/** What one client has to wait, and what each of the crowds gets done. */
async function tryAll(asker: Asker) {
  const { all: alone } = await closedLoop(asker, 1, 1);
  const perSecond: number[] = [];
  for (const clients of crowds) perSecond.push((await closedLoop(asker, clients, 1)).perSecond);
  return { alone, perSecond };
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

async function askOnce({ pool, bodyOf }: Asker, dueAt: number): Promise<Seen> {
  lastNumber += 1;
  const isUrgent = lastNumber % outcomesEvery === 0;
  const body = isUrgent ? JSON.stringify({ query: outcomes }) : bodyOf(lastNumber);
  const { status, text } = await post(pool, body);
  const ms = performance.now() - dueAt;
  if (status === 503 && text.includes('"OVERLOADED"')) return { kind: 'refused', ms, isUrgent };
  const isDone = status === 200 && !text.includes('"errors":[');
  return { kind: isDone ? 'done' : 'odd', ms, isUrgent };
}

async function closedLoop(asker: Asker, clients: number, forSeconds: number) {
  const all: number[] = [];
  const beganAt = performance.now();
  const endAt = beganAt + forSeconds * 1000;
  const client = async () => {
    while (performance.now() < endAt) {
      const { kind, ms, isUrgent } = await askOnce(asker, performance.now());
      if (kind === 'done' && !isUrgent) all.push(ms);
      if (kind === 'refused') await new Promise((resolve) => setTimeout(resolve, comesBackMs));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { all, perSecond: (all.length * 1000) / (performance.now() - beganAt) };
}

async function openLoop(asker: Asker, perSecond: number, forSeconds: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  const pending: Promise<unknown>[] = [];
  const beganAt = performance.now();
  const many = Math.floor(perSecond * forSeconds);
  for (let at = 0; at < many; ) {
    const dueNow = Math.min(many, Math.ceil(((performance.now() - beganAt) * perSecond) / 1000));
    for (; at < dueNow; at += 1) {
      const dueAt = beganAt + (at * 1000) / perSecond;
      pending.push(
        askOnce(asker, dueAt).then(
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
