import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { Child } from './engine/child.ts';
import { findCores, moveTo } from './engine/cores.ts';
import { startFleet } from './engine/fleet.ts';
import { median, quantile } from './engine/statistics.ts';
import { domainOf } from './upstream/world.ts';
import { workloads } from './workloads.ts';

// What happens when three times as much is asked for as can be done: how much is still done, how long that takes, and how
// soon the rest is refused. One in fifty requests asks what became of purchases.
//
//     npm run bench:overload -- --seconds 8 --times 3
//
// Requests come when they come, whether or not earlier ones were answered; each is timed from when it should have been
// sent. Twice: where the CPU of the gateway is the bottleneck, and where the calls that it may make at a time are.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    times: { type: 'string', default: '3' },
  },
});
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
  await measure(id, pool, target.child);
  await pool.destroy();
}

async function measure(id: string, pool: Pool, child: Child): Promise<void> {
  await closedLoop(pool, 16, 2);
  const alone = await closedLoop(pool, 1, 3);
  const peaks = [];
  for (const clients of [8, 16, 32, 64]) peaks.push((await closedLoop(pool, clients, 3)).perSecond);
  const peak = Math.max(...peaks);
  // Once to get used to it: the bound is found by looking.
  await openLoop(pool, peak * times, 2);
  const before = { cpuMs: child.cpuMs() ?? 0, own: process.cpuUsage(), atMs: performance.now() };
  const over = await openLoop(pool, peak * times, seconds);
  const tookMs = performance.now() - before.atMs;
  const { user, system } = process.cpuUsage(before.own);
  const share = (cpuMs: number) => `${((100 * cpuMs) / tookMs).toFixed(0)} %`;
  const busy = `gateway ${share((child.cpuMs() ?? 0) - before.cpuMs)}, who asks ${share((user + system) / 1000)}`;

  const of = (kind: Kind, isUrgent: boolean) =>
    over.filter((one) => one.kind === kind && one.isUrgent === isUrgent).map(({ ms }) => ms);
  const done = of('done', false);
  const refused = of('refused', false);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  print(`\nBottleneck: ${id}`);
  print(`alone             p50 ${ms(median(alone.all))}, p99 ${ms(quantile(alone.all, 0.99))}`);
  print(`peak              ${peak.toFixed(0)} a second`);
  print(`asked             ${(over.length / seconds).toFixed(0)} a second`);
  const goodput = done.length / seconds;
  print(
    `done              ${goodput.toFixed(0)} a second, ${((100 * goodput) / peak).toFixed(0)} % of the peak`,
  );
  const p99 = quantile(done, 0.99);
  print(
    `  latency         p50 ${ms(median(done))}, p99 ${ms(p99)}, ${(p99 / quantile(alone.all, 0.99)).toFixed(1)} times that alone`,
  );
  print(
    `refused           ${(refused.length / seconds).toFixed(0)} a second, p50 ${ms(median(refused))}, p99 ${ms(quantile(refused, 0.99))}`,
  );
  print(
    `outcomes asked    ${of('done', true).length} answered, ${of('refused', true).length} refused, p99 ${ms(quantile(of('done', true), 0.99))}`,
  );
  print(`CPU               ${busy} of a core`);
  print(`anything else     ${over.filter(({ kind }) => kind === 'odd').length}`);
}

function bodyOf(number: number): string {
  // One domain after the other, of so many that no two requests under way can share a call.
  const { name } = domainOf(number % domains);
  return JSON.stringify({ query: document, variables: { name } });
}

async function askOnce(pool: Pool, dueAt: number): Promise<Seen> {
  lastNumber += 1;
  const isUrgent = lastNumber % outcomesEvery === 0;
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: isUrgent ? JSON.stringify({ query: outcomes }) : bodyOf(lastNumber),
  });
  const text = await body.text();
  const ms = performance.now() - dueAt;
  if (statusCode === 503 && text.includes('"OVERLOADED"')) return { kind: 'refused', ms, isUrgent };
  const isDone = statusCode === 200 && !text.includes('"errors":[');
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
