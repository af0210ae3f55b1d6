import { yardstick } from '../servers/table.ts';
import { type Workload, workloads } from '../workloads.ts';
import type { Fleet } from './fleet.ts';
import { countOf, perCpuSecond, type Round, runRound } from './round.ts';
import { median, spread } from './statistics.ts';

/** Measurements of one server with one workload: medians over the rounds. */
export interface Result {
  readonly workload: string;
  readonly server: string;
  /** Milliseconds that the upstream waits before each reply. */
  readonly upstreamMs: number;
  readonly perCpuSecond: number;
  /** (max − min) / median of the rounds. */
  readonly perCpuSecondSpread: number;
  /** `perCpuSecond` divided by that of the yardstick in the same turn: the median, the least and the most. */
  readonly ratio: number;
  readonly ratioLow: number;
  readonly ratioHigh: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly callsPerRequest: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Ids of workloads; all when empty. */
  readonly only: readonly string[];
  readonly onProgress: (line: string) => void;
}

const latenciesMs = [0, 20];

export const chosen = (only: readonly string[]): readonly Workload[] =>
  workloads.filter(({ id }) => only.length === 0 || only.includes(id));

/** Every workload at every latency, the servers taking turns round by round. */
export async function measure(fleet: Fleet, options: MeasureOptions): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const upstreamMs of latenciesMs) {
    await fleet.upstream.setLatency(upstreamMs);
    for (const workload of chosen(options.only)) {
      // Without upstream calls the upstream's latency has no effect.
      if (upstreamMs > 0 && Object.keys(workload.calls).length === 0) continue;
      options.onProgress(`${workload.id} ${workload.title}, upstream takes ${upstreamMs} ms`);
      results.push(...(await measureOne(fleet, workload, upstreamMs, options)));
    }
  }
  return results;
}

async function measureOne(
  { targets, upstream }: Fleet,
  workload: Workload,
  upstreamMs: number,
  { rounds, seconds }: MeasureOptions,
): Promise<readonly Result[]> {
  const seen = targets.map((target) => ({ target, rounds: [] as Round[] }));
  for (const { target } of seen) await runRound(target, workload, upstream, seconds);
  for (let turn = 0; turn < rounds; turn += 1) {
    // Another one begins each time, so that none always follows the same neighbour.
    for (const at of seen.keys()) {
      const one = seen[(at + turn) % seen.length];
      one?.rounds.push(await runRound(one.target, workload, upstream, seconds));
    }
  }
  const ofYardstick = seen.find(({ target }) => target.row.id === yardstick)?.rounds ?? [];
  return seen.map((one) => ({
    ...{ workload: workload.id, server: one.target.row.id, upstreamMs },
    ...summarise(one.rounds, ofYardstick),
  }));
}

function summarise(rounds: readonly Round[], ofYardstick: readonly Round[]) {
  const perCpu = rounds.map(perCpuSecond);
  const ratios = ofYardstick.map(
    (round, turn) => (perCpu[turn] ?? Number.NaN) / perCpuSecond(round),
  );
  return {
    perCpuSecond: median(perCpu),
    perCpuSecondSpread: spread(perCpu),
    ratio: median(ratios),
    ratioLow: Math.min(...ratios),
    ratioHigh: Math.max(...ratios),
    perSecond: median(rounds.map((round) => round.requests / round.seconds)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    callsPerRequest: median(rounds.map((round) => countOf(round.calls) / round.requests)),
  };
}
