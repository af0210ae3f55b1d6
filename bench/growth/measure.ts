import type { Cores } from '../engine/cores.ts';
import { type Fleet, startFleet } from '../engine/fleet.ts';
import { runRound } from '../engine/round.ts';
import { type Target, WrongResponse } from '../engine/target.ts';
import { servers } from '../servers/table.ts';
import type { Series } from './series.ts';

/** What one request costs one server at one size. */
export interface Point {
  readonly series: string;
  readonly server: string;
  readonly size: number;
  readonly cpuMs: number | null;
  readonly p50Ms: number | null;
  readonly callsPerRequest: number | null;
  readonly rssMiB: number | null;
  /** Why there is no figure: the code of the error or its text; null where there are figures. */
  readonly failure: string | null;
}

export interface GrowthOptions {
  readonly cores: Cores | null;
  readonly seconds: number;
  readonly maxDomains: number;
  readonly onProgress: (line: string) => void;
}

/** Milliseconds that the upstream takes for each reply. */
export const upstreamMs = 20;

export const growing = servers.filter(({ speaks }) => speaks === 'graphql');

/** Restarts every server for each size, so that earlier requests have no effect. */
export async function measureGrowth(
  series: readonly Series[],
  options: GrowthOptions,
): Promise<readonly Point[]> {
  const points: Point[] = [];
  for (const one of series) {
    for (const size of one.sizes) {
      const domains = one.domainsAt(size);
      if (domains > options.maxDomains) continue;
      options.onProgress(`${one.title}: ${size} ${one.unit}`);
      await using fleet = await startFleet({ domains, cores: options.cores, rows: growing });
      await fleet.upstream.setLatency(upstreamMs);
      for (const target of fleet.targets) {
        const facts = { series: one.id, server: target.row.id, size };
        points.push({ ...facts, ...(await pointOf(one, size, target, fleet, options.seconds)) });
      }
    }
  }
  return points;
}

type Figures = Omit<Point, 'series' | 'server' | 'size'>;

async function pointOf(
  series: Series,
  size: number,
  target: Target,
  { upstream }: Fleet,
  seconds: number,
): Promise<Figures> {
  try {
    const workload = await series.workloadAt(size, target);
    await runRound(target, workload, upstream, { seconds });
    const { refused, answered, ...round } = await runRound(target, workload, upstream, { seconds });
    if (refused > 0) throw new WrongResponse(`${refused} requests were refused`);
    const { cpuMs, p50Ms, callsPerRequest } = round;
    const rss = target.child.rssBytes();
    return {
      cpuMs: cpuMs === null ? null : cpuMs / answered,
      p50Ms,
      callsPerRequest,
      rssMiB: rss === null ? null : rss / 2 ** 20,
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof WrongResponse)) throw error;
    const failure = /"code":"(\w+)"/.exec(error.message)?.[1] ?? error.message;
    return { cpuMs: null, p50Ms: null, callsPerRequest: null, rssMiB: null, failure };
  }
}
