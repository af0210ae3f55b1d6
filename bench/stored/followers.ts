import { setTimeout as sleep } from 'node:timers/promises';
import { demoPortfolio } from '../../sandbox/service/seed.ts';
import { changeDomains, placeOrder } from './jobs.ts';
import { liveWhile, type Pair, spanCell, startPair, streamOf } from './pair.ts';

interface Kind {
  readonly name: string;
  /** Starts a job and returns its id. */
  readonly start: (pair: Pair, key: string, items: number) => Promise<string>;
  /** Documents with `$id` whose `job` has the state. */
  readonly progress: string;
  readonly read: string;
}

export const orders: Kind = {
  name: 'order of $ lines',
  start: placeOrder,
  progress: 'orderProgress(id: $id) { job: order { state } changed { domainName state } }',
  read: 'job: order(by: { id: $id }) { state }',
};

const maxDomains = 2_000;
const names = [...demoPortfolio(maxDomains)].map(([name]) => name);

export const changes: Kind = {
  name: 'bulk change of $ domains',
  start: (pair, key, items) => changeDomains(pair, key, names.slice(0, items)),
  progress:
    'bulkChangeProgress(id: $id) { job: bulkChange { state } changed { domainName state } }',
  read: 'job: bulkChange(by: { id: $id }) { state }',
};

/** Jobs of equal size, each with another number of followers. */
export async function measureFollowers(
  kind: Kind,
  items: number,
  numbers: readonly number[],
): Promise<string[][]> {
  const rows: string[][] = [];
  let alone = Number.NaN;
  for (const followers of numbers) {
    const pair = await startPair({ domains: maxDomains, env: { RATE_LIMIT_PER_MINUTE: '0' } });
    try {
      // The first job compiles what the second executes.
      await ended(pair, kind, await kind.start(pair, 'first', 20));
      await fetch(`${pair.sandbox.url}/admin/latency`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ perCallMs: 20 }),
      });
      const [startedMs, cpuMs] = [performance.now(), pair.gateway.cpuMs() ?? Number.NaN];
      const id = await kind.start(pair, `followed${followers}`, items);
      let bytes = 0;
      const following = Array.from({ length: followers }, () =>
        follow(pair, kind, id, (more) => {
          bytes += more;
        }),
      );
      const spans = await liveWhile(pair.gateway, ended(pair, kind, id));
      const seconds = (performance.now() - startedMs) / 1_000;
      await Promise.all(following);
      const cpuSeconds = ((pair.gateway.cpuMs() ?? Number.NaN) - cpuMs) / 1_000;
      if (followers === 0) alone = seconds;
      rows.push([
        `${kind.name.replace('$', items.toLocaleString('en'))}, ${followers} followers`,
        spanCell(spans),
        `${seconds.toFixed(1)} s (${(seconds / alone).toFixed(2)}), ${cpuSeconds.toFixed(1)} s of CPU time, ${(bytes / 1e6).toFixed(1)} MB sent`,
      ]);
    } finally {
      await pair.close();
    }
  }
  return rows;
}

async function follow(
  { gateway }: Pair,
  { progress }: Kind,
  id: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const document = `subscription ($id: ID!) { ${progress} }`;
  const { signal } = new AbortController();
  for await (const _ of streamOf(gateway, document, { id }, signal, onBytes));
}

async function ended({ query }: Pair, { read }: Kind, id: string): Promise<void> {
  const document = `query ($id: ID!) { ${read} }`;
  while ((await query(document, { id })).job.state === 'RUNNING') await sleep(100);
}
