import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Child } from '../engine/child.ts';
import type { Cores } from '../engine/cores.ts';
import { startFleet } from '../engine/fleet.ts';
import { createLoadGenerator, type LoadGenerator, type Tally } from '../engine/load-generator.ts';
import { median, quantile } from '../engine/statistics.ts';
import { type ServerRow, servers } from '../servers/table.ts';
import { domainOf } from '../upstream/world.ts';
import { labelOverTlds, workloads } from '../workloads.ts';

/** How the gateway took more requests than it can serve. One request in fifty is a question about purchases. */
export interface Overload {
  readonly title: string;
  readonly upstreamMs: number;
  /** Requests a second that waiting clients completed. */
  readonly capacity: number;
  readonly sent: number;
  readonly served: number;
  /** Requests served per CPU-second of the gateway, as a share of the same at capacity: what refusals cost. */
  readonly perCpuShare: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refusedP99Ms: number;
  readonly purchasesP99Ms: number;
  readonly purchasesRefused: number;
  readonly failed: number;
  /** How late the load sent its requests; the figures above mean little when it is much. */
  readonly lateP99Ms: number;
}

export interface OpenLoopOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly times: number;
  readonly cores: Cores | null;
  readonly onProgress: (line: string) => void;
}

const domains = 5_000;
const oneDomain = workloads.find(({ id }) => id === 'W2');
const page = labelOverTlds(50);

/** The body of a request by a number that none has had before, so that no response of the cache serves it. */
type Body = (number: number) => string;

const domainBody: Body = (number) =>
  JSON.stringify({
    query: oneDomain?.document,
    variables: { name: domainOf(number % domains).name },
  });
const pageBody: Body = (number) =>
  JSON.stringify({ query: page.document, variables: page.exchange(number).variables });

const cases: readonly { title: string; upstreamMs: number; bodyOf: Body }[] = [
  { title: 'W2, a domain each', upstreamMs: 0, bodyOf: domainBody },
  { title: 'W2, a domain each', upstreamMs: 20, bodyOf: domainBody },
  { title: 'W2, a domain each', upstreamMs: 150, bodyOf: domainBody },
  {
    title: 'W2 and W4 in turns',
    upstreamMs: 150,
    bodyOf: (number) => (number % 2 === 0 ? pageBody(number) : domainBody(number)),
  },
];

const outcomes = JSON.stringify({ query: '{ purchases(first: 1) { totalCount } }' });
const capacityClients = 128;
/** More than the requests that wait within the budget of the queue: none waits for a connection in the load generator. */
const mostConnections = 8_192;

export async function measureOpenLoop(options: OpenLoopOptions): Promise<readonly Overload[]> {
  const { rounds, cores, onProgress } = options;
  const results: Overload[] = [];
  for (const { title, upstreamMs, bodyOf } of cases) {
    await using fleet = await startFleet({ domains, cores, rows: [uncached] });
    await fleet.upstream.setLatency(upstreamMs);
    const [target] = fleet.targets;
    if (!target) throw new Error('There is no gateway.');
    const pool = new Pool(target.child.url, { connections: mostConnections, pipelining: 1 });
    const loadGenerator = createLoadGenerator({
      pool,
      bodyOf,
      urgentBody: outcomes,
      urgentEvery: 50,
    });
    await loadGenerator.closedLoop(16, { runIn: options.seconds, counted: 0 });
    const all: Overload[] = [];
    for (let at = 0; at < rounds; at += 1) {
      all.push({
        title,
        upstreamMs,
        ...(await overload(loadGenerator, target.child, options)),
      });
    }
    await pool.destroy();
    results.push(medianOf(all));
    onProgress(`overload, ${upstreamMs} ms, ${title}`);
  }
  return results;
}

const [ours] = servers;
/** Default settings, but nothing is cached: then each request costs what the capacity was measured with. */
const uncached: ServerRow = {
  ...(ours ?? fail()),
  env: {
    ...ours?.env,
    ...{ DOMAIN_MAX_AGE_SECONDS: '0', AVAILABILITY_MAX_AGE_SECONDS: '0', LOG_LEVEL: 'silent' },
  },
};

function fail(): never {
  throw new Error('There is no gateway to measure.');
}

/** The capacity is measured right before and right after, because the machine has other work. */
async function overload(
  loadGenerator: LoadGenerator,
  child: Child,
  { seconds, times }: OpenLoopOptions,
) {
  const closed = async () => {
    const cpuBefore = child.cpuMs() ?? Number.NaN;
    const tally = await loadGenerator.closedLoop(capacityClients, { runIn: 0, counted: seconds });
    const cpuMs = (child.cpuMs() ?? Number.NaN) - cpuBefore;
    return { perSecond: perSecond(tally), perCpu: tally.done.many / cpuMs };
  };
  const before = await closed();
  const sent = times * before.perSecond;
  const cpuBefore = child.cpuMs() ?? Number.NaN;
  const cpuAtEnd = sleep(3_000 * seconds).then(() => child.cpuMs() ?? Number.NaN);
  const tally = await loadGenerator.openLoop(sent, { runIn: 0, counted: 3 * seconds });
  const cpuMs = (await cpuAtEnd) - cpuBefore;
  const after = await closed();
  return {
    capacity: (before.perSecond + after.perSecond) / 2,
    sent,
    perCpuShare: tally.done.many / cpuMs / ((before.perCpu + after.perCpu) / 2),
    served: perSecond(tally),
    p50Ms: median(tally.done.all),
    p99Ms: quantile(tally.done.all, 0.99),
    refusedP99Ms: quantile(tally.refused.all, 0.99),
    purchasesP99Ms: quantile(tally.urgentDone.all, 0.99),
    purchasesRefused: tally.urgentRefused.many,
    failed: tally.odd.many,
    lateP99Ms: quantile(tally.late.all, 0.99),
  };
}

const perSecond = ({ done, seconds }: Tally): number => done.many / seconds;

function medianOf(rounds: readonly Overload[]): Overload {
  const [first] = rounds;
  if (!first) throw new Error('There was no round.');
  const of = (read: (one: Overload) => number) => median(rounds.map(read));
  return {
    ...first,
    capacity: of((one) => one.capacity),
    sent: of((one) => one.sent),
    served: of((one) => one.served),
    perCpuShare: of((one) => one.perCpuShare),
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
    refusedP99Ms: of((one) => one.refusedP99Ms),
    purchasesP99Ms: of((one) => one.purchasesP99Ms),
    purchasesRefused: rounds.reduce((sum, one) => sum + one.purchasesRefused, 0),
    failed: rounds.reduce((sum, one) => sum + one.failed, 0),
    lateP99Ms: of((one) => one.lateP99Ms),
  };
}
