import { setTimeout as wait } from 'node:timers/promises';
import { type ServerRow, servers } from '../servers/table.ts';
import { portfolioSize, workloads } from '../workloads.ts';
import type { Cores } from './cores.ts';
import { startFleet } from './fleet.ts';
import { median } from './statistics.ts';
import { connect, send } from './target.ts';

/** Start time and idle memory of a server; medians. */
export interface StartUp {
  readonly server: string;
  /** From the start of the process to its first response to `{ __typename }`. */
  readonly firstAnswerMs: number;
  /** A second after that; null where it is not available. */
  readonly idleRssMiB: number | null;
}

const idleMs = 1_000;

export const toMiB = (bytes: number | null): number | null => bytes && bytes / 2 ** 20;

/** Starts every server some times, by turns. */
export async function measureStartUp(
  cores: Cores | null,
  starts: number,
): Promise<readonly StartUp[]> {
  const seen = servers.map((row) => ({ row, firstMs: [] as number[], rss: [] as number[] }));
  for (let turn = 0; turn < starts; turn += 1) {
    for (const { row, firstMs, rss } of seen) {
      const one = await startOnce(row, cores);
      firstMs.push(one.firstAnswerMs);
      if (one.rssMiB !== null) rss.push(one.rssMiB);
    }
  }
  return seen.map(({ row, firstMs, rss }) => ({
    server: row.id,
    firstAnswerMs: median(firstMs),
    idleRssMiB: rss.length === 0 ? null : median(rss),
  }));
}

async function startOnce(row: ServerRow, cores: Cores | null) {
  await using fleet = await startFleet({ domains: portfolioSize, cores, rows: [row] });
  const [target] = fleet.targets;
  const nothing = workloads.find(({ calls }) => Object.keys(calls).length === 0);
  if (!target || !nothing) throw new Error('nothing to start');
  const pool = connect(target, 1);
  try {
    await send(pool, target, nothing, nothing.exchange(0));
    const firstAnswerMs = performance.now() - target.child.startedAt;
    await wait(idleMs);
    return { firstAnswerMs, rssMiB: toMiB(target.child.rssBytes()) };
  } finally {
    await pool.close();
  }
}
