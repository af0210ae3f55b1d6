import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { print, readArguments } from '../src/console/program.ts';
import { type Child, startChild } from './engine/child.ts';
import { quantile } from './engine/statistics.ts';
import { gatewayNodeArgs } from './servers/table.ts';
import { orderInput, place } from './stored/jobs.ts';

// A line makes two upstream calls, one after the other. The least duration is therefore 2 × latency × lines ÷ concurrency.
// Sandbox, gateway and client are three processes.

const help = `Measures the duration of an order, and the latency of other requests while its lines are sent.

Usage: npm run bench:orders -- [options]

  --lines N           Lines of the order; default 500.
  --latency MS        Of each upstream call; default 150.
  --concurrency 4,16  Values of JOB_CONCURRENCY.
  --sync MS           Added to each sync of the gateway's disk, on Linux with a C compiler; default 0.
`;

const { values } = readArguments('bench:orders', help, {
  options: {
    lines: { type: 'string', default: '500' },
    latency: { type: 'string', default: '150' },
    concurrency: { type: 'string', default: '4,16' },
    sync: { type: 'string', default: '0' },
  },
});
const lines = Number(values.lines);
const latencyMs = Number(values.latency);
const quietMs = 5_000;
const readEveryMs = 20;

const progress = `query ($id: ID!) { order(by: { id: $id }) { state progress { succeeded } } }`;
const input = orderInput('order', lines);

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

const setLatency = (sandbox: Child) =>
  fetch(`${sandbox.url}/admin/latency`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ perCallMs: latencyMs }),
  });

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
const slowSync = values.sync === '0' ? {} : slowSyncBy(values.sync);
try {
  for (const concurrency of values.concurrency.split(',').map(Number)) await measure(concurrency);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(concurrency: number): Promise<void> {
  const env = {
    ...{ DATA_DIR: join(folder, String(concurrency)), SANDBOX_PORT: '0', PORT: '0' },
    SANDBOX_LATENCY: 'none',
  };
  const sandbox = await startChild({ file: 'sandbox/main.ts', env, core: null });
  await setLatency(sandbox);
  const gateway = await startChild({
    file: 'src/main.ts',
    nodeArgs: gatewayNodeArgs,
    env: {
      ...env,
      DOMAIN_API_URL: `${sandbox.url}/domain-api`,
      JOB_CONCURRENCY: String(concurrency),
      LOG_LEVEL: 'warn',
      ...slowSync,
    },
    core: null,
  });
  const pool = new Pool(gateway.url, { connections: 32, pipelining: 1 });
  try {
    print(
      `\n${lines} lines, ${concurrency} at a time, ${latencyMs} ms upstream latency, syncs ${values.sync} ms slower`,
    );
    await sendQuery(pool, '{ domain(name: "reseller-demo.com") { state } }');
    const quiet = await readWhile(pool, sleep(quietMs));

    const startedMs = performance.now();
    const placed = await sendQuery(pool, place, { input });
    const placedMs = performance.now() - startedMs;
    const { order, errors } = placed.placeOrder;
    if (!order) throw new Error(JSON.stringify(errors));
    const running = untilEnd(pool, order.id);
    const busy = await readWhile(pool, running);
    const { progress: counts } = await running;

    const minMs = (2 * latencyMs * lines) / concurrency;
    const sentMs = performance.now() - startedMs - placedMs;
    print(
      `  placed in ${seconds(placedMs)}, sent in ${seconds(sentMs)}: ${counts.succeeded} succeeded`,
    );
    print(`  the concurrency allows ${seconds(minMs)}; ratio ${(sentMs / minMs).toFixed(2)}`);
    for (const at of [0.5, 0.99]) {
      const [before, during] = [quiet, busy].map((spans) => quantile(spans, at));
      print(
        `  other requests, p${at * 100}: ${before?.toFixed(1)} ms before, ${during?.toFixed(1)} ms during the order (${((during ?? 0) / (before ?? 1)).toFixed(2)})`,
      );
    }
  } finally {
    await pool.close();
    await gateway.stop();
    await sandbox.stop();
  }
}

function slowSyncBy(ms: string) {
  const library = join(folder, 'slow-sync.so');
  const source = join(import.meta.dirname, 'engine/slow-sync.c');
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return { LD_PRELOAD: library, SLOW_SYNC_MS: ms };
}

async function untilEnd(pool: Pool, id: string) {
  for (;;) {
    const { order } = await sendQuery(pool, progress, { id });
    if (order.state !== 'RUNNING') return order;
    await sleep(100);
  }
}

/** Milliseconds of each read of a domain until `work` has ended; one read begins every few milliseconds. */
async function readWhile(pool: Pool, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  const spans: number[] = [];
  const reads: Promise<void>[] = [];
  const read = async (at: number) => {
    const startedMs = performance.now();
    await sendQuery(pool, `{ availability(name: "read-${at}-${startedMs | 0}.com") { state } }`);
    spans.push(performance.now() - startedMs);
  };
  for (let at = 0; !isOver; at += 1) {
    reads.push(read(at));
    await sleep(readEveryMs);
  }
  await Promise.all(reads);
  await ended;
  return spans;
}

// biome-ignore lint/suspicious/noExplicitAny: the documents above select the members
async function sendQuery(pool: Pool, query: string, variables: object = {}): Promise<any> {
  const { statusCode, body } = await pool.request({
    ...{ path: '/graphql', method: 'POST' },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { data, errors } = (await body.json()) as any;
  if (statusCode !== 200 || errors) throw new Error(JSON.stringify(errors));
  return data;
}
