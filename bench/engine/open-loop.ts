import { type ServerRow, servers } from '../servers/table.ts';
import { domainOf } from '../upstream/world.ts';
import { labelOverTlds, workloads } from '../workloads.ts';
import { type Child, startChild } from './child.ts';
import { Connections } from './connections.ts';
import type { Cores } from './cores.ts';
import { startFleet } from './fleet.ts';
import { createLoadGenerator, type LoadGenerator } from './load-generator.ts';
import { median, quantile } from './statistics.ts';

/** How the gateway took more requests than it can serve. */
export interface Overload {
  readonly title: string;
  readonly upstreamMs: number;
  /** Requests a second that waiting clients completed. */
  readonly capacity: number;
  readonly sent: number;
  readonly served: number;
  /** CPU time of the gateway in milliseconds, of a served request at capacity. */
  readonly requestCpuMs: number;
  /** The rest of the CPU time during the overload, for each refused request. */
  readonly refusalCpuMs: number;
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
  /** The upstream latency to measure with; null for all. */
  readonly only: number | null;
  readonly cores: Cores | null;
  readonly onProgress: (line: string) => void;
}

const domains = 5_000;
const oneDomain = workloads.find(({ id }) => id === 'W2');
const page = labelOverTlds(50);

/** The body of a request by its number. No two requests are equal, so the response cache serves none. */
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
    title: 'W2 and W4L in turns',
    upstreamMs: 150,
    bodyOf: (number) => (number % 2 === 0 ? pageBody(number) : domainBody(number)),
  },
];

/** One of so many requests reads purchases. The gateway refuses such requests last. */
const urgentEvery = 50;
const urgentBody = JSON.stringify({ query: '{ purchases(first: 1) { totalCount } }' });
const capacityClients = 128;
/** As many as the gateway accepts. */
const maxConnections = 5_000;
/** More than the requests that wait within the budget of the queue. */
const openConnections = 4_000;

export async function measureOpenLoop(options: OpenLoopOptions): Promise<readonly Overload[]> {
  const { rounds, cores, onProgress } = options;
  const results: Overload[] = [];
  for (const { title, upstreamMs, bodyOf } of cases) {
    if (options.only !== null && options.only !== upstreamMs) continue;
    await using fleet = await startFleet({ domains, cores, rows: [uncached] });
    await fleet.upstream.setLatency(upstreamMs);
    const [target] = fleet.targets;
    if (!target) throw new Error('There is no gateway.');
    const connections = new Connections(target.child.url, maxConnections);
    await connections.open(openConnections);
    const loadGenerator = generatorOf(connections, bodyOf, target.child);
    await loadGenerator.closedLoop(16, { warmUp: options.seconds, counted: 0 });
    const all: Overload[] = [];
    for (let at = 0; at < rounds; at += 1) {
      all.push({ title, upstreamMs, ...(await overload(loadGenerator, options)) });
    }
    connections.close();
    results.push(medianOf(all));
    onProgress(`overload, ${upstreamMs} ms, ${title}`);
  }
  return results;
}

/** CPU time in milliseconds of a refusal, for the same requests, of a server that does nothing else. */
export async function measureRefusing({ seconds, cores }: OpenLoopOptions): Promise<number> {
  const core = cores?.server ?? null;
  const child = await startChild({ file: 'bench/servers/refusing.ts', core });
  const connections = new Connections(child.url, maxConnections);
  const loadGenerator = generatorOf(connections, domainBody, child);
  const during = { warmUp: 1, counted: seconds };
  const { cpuMs, latencies } = await loadGenerator.closedLoop(capacityClients, during);
  connections.close();
  await child.stop();
  return (cpuMs ?? Number.NaN) / (latencies.refused.many + latencies.urgentRefused.many);
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

function generatorOf(connections: Connections, bodyOf: Body, { cpuMs }: Child): LoadGenerator {
  const isUrgent = (number: number) => number % urgentEvery === 0;
  return createLoadGenerator({
    cpuMs,
    send: (number) =>
      connections.post(isUrgent(number) ? urgentBody : bodyOf(number)).catch(() => null),
    judge(reply, number) {
      if (reply?.status === 503 && reply.text.includes('"OVERLOADED"')) {
        return isUrgent(number) ? 'urgentRefused' : 'refused';
      }
      if (reply?.status !== 200 || reply.text.includes('"errors":[')) return 'failed';
      return isUrgent(number) ? 'urgentDone' : 'done';
    },
  });
}

/** The capacity is measured right before and right after, because the machine has other work. */
async function overload(loadGenerator: LoadGenerator, { seconds, times }: OpenLoopOptions) {
  const closed = async () => {
    const tally = await loadGenerator.closedLoop(capacityClients, { warmUp: 0, counted: seconds });
    const { answered } = tally;
    return { perSecond: answered / tally.seconds, cpuMs: (tally.cpuMs ?? Number.NaN) / answered };
  };
  const before = await closed();
  const sent = times * before.perSecond;
  // The first responses need one latency, and the queue fills in its budget. Neither belongs to the overload.
  const tally = await loadGenerator.openLoop(sent, { warmUp: 2, counted: 3 * seconds });
  const after = await closed();
  const { done, refused, urgentDone, urgentRefused, failed } = tally.latencies;
  const requestCpuMs = (before.cpuMs + after.cpuMs) / 2;
  const servedCpuMs = (done.many + urgentDone.many) * requestCpuMs;
  return {
    capacity: (before.perSecond + after.perSecond) / 2,
    sent,
    requestCpuMs,
    refusalCpuMs: ((tally.cpuMs ?? Number.NaN) - servedCpuMs) / refused.many,
    served: done.many / tally.seconds,
    p50Ms: median(done.all),
    p99Ms: quantile(done.all, 0.99),
    refusedP99Ms: quantile(refused.all, 0.99),
    purchasesP99Ms: quantile(urgentDone.all, 0.99),
    purchasesRefused: urgentRefused.many,
    failed: failed.many,
    lateP99Ms: quantile(tally.late.all, 0.99),
  };
}

function medianOf(rounds: readonly Overload[]): Overload {
  const [first] = rounds;
  if (!first) throw new Error('There was no round.');
  const of = (read: (one: Overload) => number) => median(rounds.map(read));
  return {
    ...first,
    capacity: of((one) => one.capacity),
    sent: of((one) => one.sent),
    served: of((one) => one.served),
    requestCpuMs: of((one) => one.requestCpuMs),
    refusalCpuMs: of((one) => one.refusalCpuMs),
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
    refusedP99Ms: of((one) => one.refusedP99Ms),
    purchasesP99Ms: of((one) => one.purchasesP99Ms),
    purchasesRefused: rounds.reduce((sum, one) => sum + one.purchasesRefused, 0),
    failed: rounds.reduce((sum, one) => sum + one.failed, 0),
    lateP99Ms: of((one) => one.lateP99Ms),
  };
}
