import { type ServerRow, servers, yardstick } from '../servers/table.ts';
import { type Workload, workloads } from '../workloads.ts';
import type { Fleet } from './fleet.ts';
import { perCpuSecond, type Round, runRound } from './round.ts';
import { toMiB } from './start-up.ts';
import { median, type Ratio, ratioOf } from './statistics.ts';

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

/** A workload under the conditions of a part. */
interface Case {
  readonly upstreamMs: number;
  readonly workload: Workload;
  readonly clients: number;
  /** The rounds of each server by its id. */
  readonly rounds: ReadonlyMap<string, Round[]>;
}

/** Enough for V8 to compile what a workload uses. */
const warmUpSeconds = 1;

/**
 * Every workload in every part, the servers taking turns. Each round has its own start of all servers: two starts of the same server
 * differ by up to 30 % in CPU time, two rounds of one start by much less.
 */
export async function measure(start: () => Promise<Fleet>, options: MeasureOptions) {
  const cases = casesOf(options);
  let memory: readonly { readonly server: string; readonly rssMiB: number | null }[] = [];
  for (let turn = 0; turn < options.rounds; turn += 1) {
    options.onProgress(`round ${turn + 1}: start and warm-up`);
    await using fleet = await start();
    await warmUp(fleet, cases);
    for (const one of cases) {
      const { workload, clients, upstreamMs } = one;
      options.onProgress(`${workload.id}, ${clients} clients, upstream takes ${upstreamMs} ms`);
      await takeTurn(fleet, one, turn, options.seconds);
    }
    memory = fleet.targets.map(({ row, child }) => ({
      server: row.id,
      rssMiB: toMiB(child.rssBytes()),
    }));
  }
  const results = cases.flatMap(({ workload, upstreamMs, clients, rounds }) =>
    resultsOf(rounds).map((one): Result => {
      return { workload: workload.id, upstreamMs, clients, ...one };
    }),
  );
  return { results, memory };
}

const casesOf = ({ only, latencies }: MeasureOptions): readonly Case[] =>
  parts
    .filter(({ upstreamMs }) => latencies.length === 0 || latencies.includes(upstreamMs))
    .flatMap((part) =>
      chosen(only)
        .filter(({ id }) => part.workloads.includes(id))
        .flatMap((workload) =>
          (part.clients ?? [workload.clients]).map((clients) => ({
            ...{ upstreamMs: part.upstreamMs, workload, clients },
            rounds: new Map(part.servers.map(({ id }) => [id, []])),
          })),
        ),
    );

async function warmUp({ targets, upstream }: Fleet, cases: readonly Case[]): Promise<void> {
  await upstream.setLatency(0);
  const byDocument = new Map(cases.map(({ workload }) => [workload.document, workload]));
  for (const workload of byDocument.values()) {
    for (const target of targets) {
      await runRound(target, workload, upstream, { seconds: warmUpSeconds });
    }
  }
}

async function takeTurn(
  { targets, upstream }: Fleet,
  { upstreamMs, workload, clients, rounds }: Case,
  turn: number,
  seconds: number,
): Promise<void> {
  await upstream.setLatency(upstreamMs);
  // Another one begins each time, so that none always follows the same neighbour.
  const first = turn % targets.length;
  for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
    const seen = rounds.get(target.row.id);
    seen?.push(await runRound(target, workload, upstream, { seconds, clients }));
  }
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
