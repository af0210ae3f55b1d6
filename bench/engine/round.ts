import type { Workload } from '../workloads.ts';
import { createLoadGenerator } from './load-generator.ts';
import { median, quantile } from './statistics.ts';
import { check, connect, Refusal, send, type Target } from './target.ts';
import type { Calls, Upstream } from './upstream.ts';

/** What one server did with one workload for some seconds. */
export interface Round {
  /** Requests; one that is partly outside of these seconds counts as its share within. */
  readonly answered: number;
  readonly seconds: number;
  /** Of the server; null where it is not available. */
  readonly cpuMs: number | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests that the server refused as overloaded. */
  readonly refused: number;
  readonly callsPerRequest: number;
}

export interface RoundOptions {
  readonly seconds: number;
  /** Those of the workload when absent. */
  readonly clients?: number;
}

/** One of so many responses is compared exactly; all must be 200 without errors, or refused. */
const comparedOf = 20;

const maxWarmUpSeconds = 0.4;

let lastNumber = 0;

/** @throws WrongResponse */
export async function runRound(
  target: Target,
  workload: Workload,
  upstream: Upstream,
  { seconds, clients = workload.clients }: RoundOptions,
): Promise<Round> {
  const pool = connect(target, clients);
  const loadGenerator = createLoadGenerator({
    async send() {
      lastNumber += 1;
      const exchange = workload.exchange(lastNumber);
      try {
        return { exchange, text: await send(pool, target, workload, exchange) };
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
    },
    judge(reply, number) {
      if (reply === null) return 'refused';
      const { exchange, text } = reply;
      if (number % comparedOf === 1) check(target, workload, exchange, text);
      return 'done';
    },
    cpuMs: target.child.cpuMs,
  });
  try {
    await upstream.forgetCalls();
    const tally = await loadGenerator.closedLoop(clients, {
      warmUp: Math.min(seconds / 2, maxWarmUpSeconds),
      counted: seconds,
    });
    const latencies = tally.latencies.done.all;
    return {
      answered: tally.answered,
      seconds: tally.seconds,
      cpuMs: tally.cpuMs,
      p50Ms: median(latencies),
      p99Ms: quantile(latencies, 0.99),
      refused: tally.latencies.refused.many,
      callsPerRequest: countOf(await upstream.calls()) / tally.sent,
    };
  } finally {
    await pool.close();
  }
}

export const countOf = (calls: Calls): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

/** Requests that one second of the server's CPU serves; NaN where that is not available. */
export const perCpuSecond = ({ answered, cpuMs }: Round): number =>
  cpuMs === null ? Number.NaN : (answered / Math.max(cpuMs, 10)) * 1000;
