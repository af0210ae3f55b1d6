import { type ServerRow, servers, yardstick } from '../servers/table.ts';
import { type Workload, workloads } from '../workloads.ts';
import type { Fleet } from './fleet.ts';
import { perCpuSecond, type Round, type RoundOptions, runRound } from './round.ts';
import { median, type Ratio, ratioOf } from './statistics.ts';
import type { Target } from './target.ts';

/** Measurements of one server with one workload: medians over the rounds. */
export interface Result {
  readonly workload: string;
  readonly server: string;
  /** Milliseconds that the upstream waits before each reply. */
  readonly upstreamMs: number;
  readonly clients: number;
  readonly perCpuSecond: number;
  readonly perSecond: number;
  /** The two figures above divided by those of the yardstick. */
  readonly cpuRatio: Ratio;
  readonly rateRatio: Ratio;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** In all rounds together. */
  readonly refused: number;
  readonly callsPerRequest: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Ids of workloads; all when empty. */
  readonly only: readonly string[];
  /** Latencies of the upstream in milliseconds; all when empty. */
  readonly latencies: readonly number[];
  readonly onProgress: (line: string) => void;
}

/** One of the conditions under which workloads run. */
interface Part {
  readonly upstreamMs: number;
  readonly workloads: readonly string[];
  /** Those of each workload when null. */
  readonly clients: readonly number[] | null;
  readonly servers: readonly ServerRow[];
}

/** The part with several numbers of clients. */
export const load = {
  upstreamMs: 150,
  workloads: ['W2', 'W3', 'W4L'],
  clients: [1, 8, 32, 128],
  servers: servers.filter(({ id }) => !['ours-uncached', 'textbook-jit'].includes(id)),
} satisfies Part;

const parts: readonly Part[] = [
  {
    ...{ upstreamMs: 0, workloads: workloads.map(({ id }) => id), clients: null },
    servers,
  },
  load,
];

export const chosen = (only: readonly string[]): readonly Workload[] =>
  workloads.filter(({ id }) => only.length === 0 || only.includes(id));

/** Every workload in every part, the servers taking turns round by round. */
export async function measure(fleet: Fleet, options: MeasureOptions): Promise<readonly Result[]> {
  // Every server has run each workload once before anything counts.
  for (const workload of chosen(options.only)) {
    options.onProgress(`${workload.id} ${workload.title}, warm-up`);
    for (const target of fleet.targets) await runRound(target, workload, fleet.upstream, options);
  }
  const results: Result[] = [];
  for (const part of parts) {
    const { upstreamMs } = part;
    if (options.latencies.length > 0 && !options.latencies.includes(upstreamMs)) continue;
    await fleet.upstream.setLatency(upstreamMs);
    const targets = fleet.targets.filter(({ row }) => part.servers.includes(row));
    for (const workload of chosen(options.only)) {
      if (!part.workloads.includes(workload.id)) continue;
      for (const clients of part.clients ?? [workload.clients]) {
        options.onProgress(`${workload.id}, ${clients} clients, upstream takes ${upstreamMs} ms`);
        const how = { seconds: options.seconds, clients };
        const all = await takeTurns({ ...fleet, targets }, workload, options.rounds, how);
        const facts = { workload: workload.id, upstreamMs, clients };
        results.push(...resultsOf(all).map((one) => ({ ...facts, ...one })));
      }
    }
  }
  return results;
}

/** The rounds of each server by its id. */
async function takeTurns(
  { targets, upstream }: Pick<Fleet, 'targets' | 'upstream'>,
  workload: Workload,
  rounds: number,
  how: RoundOptions,
): Promise<ReadonlyMap<string, readonly Round[]>> {
  const seen = new Map<string, Round[]>(targets.map(({ row }) => [row.id, []]));
  const runOnce = (target: Target) => runRound(target, workload, upstream, how);
  for (let turn = 0; turn < rounds; turn += 1) {
    // Another one begins each time, so that none always follows the same neighbour.
    for (const at of targets.keys()) {
      const target = targets[(at + turn) % targets.length];
      if (target) seen.get(target.row.id)?.push(await runOnce(target));
    }
  }
  return seen;
}

/** The figures of servers that took turns. */
export function resultsOf(all: ReadonlyMap<string, readonly Round[]>) {
  const others = all.get(yardstick) ?? [];
  const perSecond = ({ answered, seconds }: Round) => answered / seconds;
  return [...all].map(([server, rounds]) => {
    const medianOf = (read: (round: Round) => number) => median(rounds.map(read));
    const ratioBy = (read: (round: Round) => number) => ratioOf(rounds.map(read), others.map(read));
    return {
      server,
      ...{ perCpuSecond: medianOf(perCpuSecond), perSecond: medianOf(perSecond) },
      ...{ cpuRatio: ratioBy(perCpuSecond), rateRatio: ratioBy(perSecond) },
      ...{ p50Ms: medianOf(({ p50Ms }) => p50Ms), p99Ms: medianOf(({ p99Ms }) => p99Ms) },
      refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
      callsPerRequest: medianOf(({ callsPerRequest }) => callsPerRequest),
    };
  });
}
