import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gatewayFile, servers } from '../servers/table.ts';
import { portfolioSize } from '../workloads.ts';
import type { Cores } from './cores.ts';
import { startFleet } from './fleet.ts';
import { chosen, type MeasureOptions } from './measure.ts';
import { runRound } from './round.ts';

interface ProfileOptions extends MeasureOptions {
  readonly folder: string;
  readonly cores: Cores | null;
}

/** Leaves a `.cpuprofile` of each of our variants and workloads in a folder; start-up is part of it. */
export async function profile(options: ProfileOptions): Promise<void> {
  const { folder, cores, only, rounds, seconds, onProgress } = options;
  mkdirSync(folder, { recursive: true });
  for (const row of servers.filter(({ file }) => file === gatewayFile)) {
    for (const workload of chosen(only)) {
      const name = `${workload.id}-${row.id}.cpuprofile`;
      const nodeArgs = [
        '--cpu-prof',
        `--cpu-prof-dir=${resolve(folder)}`,
        `--cpu-prof-name=${name}`,
      ];
      // The profile is written as the process ends.
      await using fleet = await startFleet({
        domains: portfolioSize,
        cores,
        rows: [row],
        nodeArgs,
      });
      for (const target of fleet.targets) {
        await runRound(target, workload, fleet.upstream, { seconds: rounds * seconds });
      }
      onProgress(join(folder, name));
    }
  }
}
