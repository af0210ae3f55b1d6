import { Worker } from 'node:worker_threads';

/** The combined results of several seeds. */
export interface Summary {
  readonly seeds: number;
  readonly failed: readonly { readonly seed: number; readonly violations: readonly string[] }[];
  readonly counts: Readonly<Record<string, number>>;
  /** Of the hashes of all runs, in the order of their seeds. */
  readonly hashes: readonly string[];
  /** The functions that the planted bug replaces and no run called. */
  readonly unused: readonly string[];
}

interface SeedsOptions {
  readonly from: number;
  readonly count: number;
  /** From one seed to the next; by default 1. */
  readonly step?: number;
  readonly threads: number;
  /** A bug to plant first. */
  readonly mutant?: string;
  /** Ends with the first seed that fails. */
  readonly stopsAtFirst?: boolean;
  /** Receives the number of completed seeds from time to time. */
  readonly onProgress?: (done: number) => void;
}

/** The input of a thread. */
export interface Share {
  readonly from: number;
  readonly count: number;
  readonly step: number;
  readonly mutant?: string;
  readonly stopsAtFirst: boolean;
}

/** A thread loads the gateway for each share; smaller shares end together and report progress more often. */
const maxPerShare = 2_000;

/** Runs seeds in threads. The results do not depend on the number of threads. */
export async function runSeeds(options: SeedsOptions): Promise<Summary> {
  const { from, count, step = 1, threads, mutant, stopsAtFirst = false, onProgress } = options;
  const shares: Share[] = [];
  for (let at = 0; at < count; at += maxPerShare) {
    const some = Math.min(maxPerShare, count - at);
    shares.push({
      ...{ from: from + at * step, count: some, step, stopsAtFirst },
      ...(mutant && { mutant }),
    });
  }
  const parts = new Map<Share, Summary>();
  const waiting = [...shares];
  let done = 0;
  const work = async () => {
    for (let share = waiting.shift(); share; share = waiting.shift()) {
      const part = await runShare(share);
      parts.set(share, part);
      done += part.seeds;
      onProgress?.(done);
      if (stopsAtFirst && part.failed.length > 0) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return sumUp(shares.flatMap((share) => parts.get(share) ?? []));
}

function runShare(share: Share): Promise<Summary> {
  return new Promise((resolve, reject) => {
    const url = new URL('./seeds-worker.ts', import.meta.url);
    const worker = new Worker(url, { workerData: share, execArgv: [] });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread ended with ${code}.`)));
  });
}

function sumUp(parts: readonly Summary[]): Summary {
  const counts: Record<string, number> = {};
  for (const part of parts) {
    for (const [what, count] of Object.entries(part.counts)) {
      counts[what] = (counts[what] ?? 0) + count;
    }
  }
  return {
    seeds: parts.reduce((sum, { seeds }) => sum + seeds, 0),
    failed: parts.flatMap(({ failed }) => failed),
    counts,
    hashes: parts.flatMap(({ hashes }) => hashes),
    unused: (parts[0]?.unused ?? []).filter((one) =>
      parts.every(({ unused }) => unused.includes(one)),
    ),
  };
}
