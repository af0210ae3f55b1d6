import { Pool } from 'undici';
import type { Fleet } from '../engine/fleet.ts';
import { createLoadGenerator } from '../engine/load-generator.ts';
import { median, quantile } from '../engine/statistics.ts';
import type { Target } from '../engine/target.ts';
import { yardstick } from '../servers/table.ts';
import { type Workload, workloads } from '../workloads.ts';

/** The median of some rounds, and their range. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** How one server served a number of clients that each wait for their response. */
export interface Served {
  readonly perSecond: Figure;
  readonly p99Ms: Figure;
  readonly refused: number;
  /** Responses with errors, and failed connections. */
  readonly failed: number;
}

interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly failed: number;
}

/** One combination of upstream latency, workload and clients: the gateway and the textbook server, in turns. */
export interface Cell {
  readonly upstreamMs: number;
  readonly workload: string;
  readonly clients: number;
  readonly ours: Served;
  readonly textbook: Served;
}

export interface ClosedLoopOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: readonly string[];
  readonly onProgress: (line: string) => void;
}

const latenciesMs = [0, 20, 150];
const clientCounts = [1, 8, 32, 128];

export async function measureClosedLoop(
  fleet: Fleet,
  { rounds, seconds, only, onProgress }: ClosedLoopOptions,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  const chosen = workloads.filter(({ id }) => only.length === 0 || only.includes(id));
  for (const upstreamMs of latenciesMs) {
    await fleet.upstream.setLatency(upstreamMs);
    for (const workload of chosen) {
      // A workload without upstream calls does not depend on the latency.
      if (upstreamMs > 0 && Object.keys(workload.calls).length === 0) continue;
      for (const clients of clientCounts) {
        const seen: Record<'ours' | 'textbook', Round[]> = { ours: [], textbook: [] };
        for (let round = 0; round < rounds; round += 1) {
          for (const target of fleet.targets) {
            const served = await serve(target, workload, clients, seconds);
            seen[target.row.id === yardstick ? 'textbook' : 'ours'].push(served);
          }
        }
        const cell = { upstreamMs, workload: workload.id, clients };
        cells.push({ ...cell, ours: servedIn(seen.ours), textbook: servedIn(seen.textbook) });
        onProgress(`${upstreamMs} ms, ${workload.id}, ${clients} clients`);
      }
    }
  }
  return cells;
}

let lastNumber = 0;

async function serve(
  { child }: Target,
  { document, exchange }: Workload,
  clients: number,
  seconds: number,
): Promise<Round> {
  const pool = new Pool(child.url, { connections: clients, pipelining: 1 });
  const bodyOf = () => {
    lastNumber += 1;
    return JSON.stringify({ query: document, variables: exchange(lastNumber).variables });
  };
  const loadGenerator = createLoadGenerator({
    pool,
    bodyOf,
    urgentBody: '',
    urgentEvery: Infinity,
  });
  const tally = await loadGenerator.closedLoop(clients, { runIn: seconds / 2, counted: seconds });
  await pool.close();
  return {
    perSecond: tally.done.many / seconds,
    p99Ms: quantile(tally.done.all, 0.99),
    refused: tally.refused.many,
    failed: tally.odd.many,
  };
}

const servedIn = (rounds: readonly Round[]): Served => ({
  perSecond: figureOf(rounds.map(({ perSecond }) => perSecond)),
  p99Ms: figureOf(rounds.map(({ p99Ms }) => p99Ms)),
  refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
  failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
});

const figureOf = (values: readonly number[]): Figure => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});
