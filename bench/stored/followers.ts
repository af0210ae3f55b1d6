import { setTimeout as sleep } from 'node:timers/promises';
import { placeOrder } from './orders.ts';
import { liveWhile, type Pair, spanCell, startPair, streamOf } from './pair.ts';

const progress =
  'subscription ($id: ID!) { orderProgress(id: $id) { order { state } changed { domain state } } }';

/** Orders that are equal but for their names, each with another number of followers. */
export async function measureFollowers(
  lines: number,
  numbers: readonly number[],
): Promise<string[][]> {
  const rows: string[][] = [];
  let alone = Number.NaN;
  for (const followers of numbers) {
    const pair = await startPair({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
    try {
      // The first order compiles what the second executes.
      await ended(pair, await placeOrder(pair, 'first', 20));
      await fetch(`${pair.sandbox.url}/admin/latency`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ perCallMs: 20 }),
      });
      const startedMs = performance.now();
      const id = await placeOrder(pair, `followed${followers}`, lines);
      let bytes = 0;
      const following = Array.from({ length: followers }, () =>
        follow(pair, id, (more) => {
          bytes += more;
        }),
      );
      const spans = await liveWhile(pair.gateway, ended(pair, id));
      const seconds = (performance.now() - startedMs) / 1_000;
      await Promise.all(following);
      if (followers === 0) alone = seconds;
      rows.push([
        `order of ${lines} lines, ${followers} followers`,
        spanCell(spans),
        `${seconds.toFixed(1)} s (${(seconds / alone).toFixed(2)}), ${(bytes / 1e6).toFixed(1)} MB sent`,
      ]);
    } finally {
      await pair.close();
    }
  }
  return rows;
}

async function follow({ gateway }: Pair, id: string, onBytes: (bytes: number) => void) {
  const { signal } = new AbortController();
  for await (const _ of streamOf(gateway, progress, { id }, signal, onBytes));
}

async function ended({ query }: Pair, id: string): Promise<void> {
  const document = 'query ($id: ID!) { order(id: $id) { state } }';
  while ((await query(document, { id })).order.state === 'RUNNING') await sleep(100);
}
