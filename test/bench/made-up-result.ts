import type { Result } from '../../bench/engine/measure.ts';

/** A made-up result of W5 without latency, with other values where given. */
export function resultWith(server: string, ratio: number, other: Partial<Result> = {}): Result {
  const exact = { median: ratio, low: ratio, high: ratio };
  return {
    ...{ workload: 'W5', server, upstreamMs: 0, clients: 20, cpuRatio: exact, rateRatio: exact },
    ...{ perCpuSecond: 100 * ratio, perSecond: 50 * ratio, p50Ms: 4, p99Ms: 9 },
    ...{ refused: 0, callsPerRequest: 0 },
    ...other,
  };
}
