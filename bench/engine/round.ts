import type { Pool } from 'undici';
import type { Workload } from '../workloads.ts';
import { median, quantile } from './statistics.ts';
import { check, connect, send, type Target } from './target.ts';
import type { Calls, Upstream } from './upstream.ts';

/** What one server did with one workload for some seconds. */
export interface Round {
  readonly requests: number;
  readonly seconds: number;
  /** Of the server; null where it is not available. */
  readonly cpuMs: number | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Upstream calls by action, of all requests together. */
  readonly calls: Calls;
}

/** One of so many responses of a client is compared exactly; all must be 200 without errors. */
const comparedOf = 20;

let lastNumber = 0;

/** A closed loop: each client sends the next request after a response; none is cut off at the end. @throws WrongResponse */
export async function runRound(
  target: Target,
  workload: Workload,
  upstream: Upstream,
  seconds: number,
): Promise<Round> {
  const pool = connect(target, workload.clients);
  try {
    await upstream.forgetCalls();
    const cpuBefore = target.child.cpuMs();
    const beganAt = performance.now();
    const latencies = await loadFor(pool, target, workload, beganAt + seconds * 1000);
    const endedAt = performance.now();
    const cpuAfter = target.child.cpuMs();
    return {
      requests: latencies.length,
      seconds: (endedAt - beganAt) / 1000,
      cpuMs: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
      p50Ms: median(latencies),
      p99Ms: quantile(latencies, 0.99),
      calls: await upstream.calls(),
    };
  } finally {
    await pool.close();
  }
}

async function loadFor(pool: Pool, target: Target, workload: Workload, endAt: number) {
  const latencies: number[] = [];
  const client = async () => {
    for (let turn = 0; turn === 0 || performance.now() < endAt; turn += 1) {
      lastNumber += 1;
      const exchange = workload.exchange(lastNumber);
      const sentAt = performance.now();
      const text = await send(pool, target, workload, exchange);
      latencies.push(performance.now() - sentAt);
      if (turn % comparedOf === 0) check(target, workload, exchange, text);
    }
  };
  await Promise.all(Array.from({ length: workload.clients }, client));
  return latencies;
}

export const countOf = (calls: Calls): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

/** Requests that one second of the server's CPU serves; NaN where that is not available. */
export const perCpuSecond = ({ requests, cpuMs }: Round): number =>
  cpuMs === null ? Number.NaN : (requests / Math.max(cpuMs, 10)) * 1000;
