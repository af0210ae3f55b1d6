import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../../scripts/install.ts';
import { type ServerRow, servers } from '../servers/table.ts';
import type { Cores } from './cores.ts';
import { startTarget, type Target } from './target.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** The mock and the servers before it, all running. */
export interface Fleet extends AsyncDisposable {
  readonly upstream: Upstream;
  readonly targets: readonly Target[];
}

export interface FleetOptions {
  readonly domains: number;
  readonly cores: Cores | null;
  readonly rows?: readonly ServerRow[];
  /** For Node, before the file of each server. */
  readonly nodeArgs?: readonly string[];
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { domains, cores, rows = servers, nodeArgs = [] } = options;
  if (rows.some(({ file }) => file.startsWith('bench/servers'))) installPackages('bench/servers');
  await using started = new AsyncDisposableStack();
  const folder = started.adopt(mkdtempSync(join(tmpdir(), 'reseller-graph-bench-')), (it) =>
    rmSync(it, { recursive: true }),
  );
  const startedUpstream = await startUpstream(domains, cores?.rest ?? null);
  const upstream = started.adopt(startedUpstream, (it) => it.stop());
  const targets: Target[] = [];
  for (const row of rows) {
    const target = await startTarget(row, {
      upstreamUrl: upstream.url,
      dataDir: join(folder, row.id),
      core: cores?.server ?? null,
      nodeArgs,
    });
    targets.push(started.adopt(target, (it) => it.child.stop()));
  }
  const everything = started.move();
  return {
    upstream,
    targets,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
