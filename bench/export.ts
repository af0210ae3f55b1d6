import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { print, readArguments } from '../src/console/program.ts';
import { type Child, startChild } from './engine/child.ts';
import { sendQuery } from './engine/send-query.ts';
import { spanLine } from './engine/statistics.ts';
import { gatewayNodeArgs } from './servers/table.ts';

// Sandbox, gateway and client are three processes. No two pages are equal, so none comes from the response cache.

const help = `Measures exports: duration, memory of the gateway, and the latency of other requests. The first export reads the list.

Usage: npm run bench:export -- [--domains N] [--exports N]

  --domains N  Size of the portfolio; default 100000.
  --exports N  Of each format; default 5.
`;

const { values } = readArguments('bench:export', help, {
  options: {
    domains: { type: 'string', default: '100000' },
    exports: { type: 'string', default: '5' },
  },
});
const domains = Number(values.domains);
const exportsOfEach = Number(values.exports);
const warmUp = 500;
const quietPages = 2_000;
const sampleEveryMs = 5;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
const env = { DATA_DIR: folder, SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none', PORT: '0' };
const children: Child[] = [];
try {
  const sandbox = await startChild({
    file: 'sandbox/main.ts',
    args: ['--domains', String(domains), '--list-size', '0'],
    env,
    core: null,
  });
  children.push(sandbox);
  const gateway = await startChild({
    file: 'src/main.ts',
    nodeArgs: gatewayNodeArgs,
    env: {
      ...env,
      DOMAIN_API_URL: `${sandbox.url}/domain-api`,
      DOMAIN_MAX_AGE_SECONDS: '3600',
      UPSTREAM_TIMEOUT_MS: '60000',
      LOG_LEVEL: 'warn',
    },
    core: null,
  });
  children.push(gateway);
  await measure(gateway);
} finally {
  for (const child of children.toReversed()) await child.stop();
  rmSync(folder, { recursive: true });
}

async function measure(gateway: Child): Promise<void> {
  const pool = new Pool(gateway.url, { connections: 1, pipelining: 1 });
  print(`${domains.toLocaleString('en')} domains`);
  await measureFirst(gateway, pool);
  let pages = 0;
  const servePages = async (isOver: (served: number) => boolean) => {
    const spans: number[] = [];
    for (let at = 0; !isOver(at); at += 1) {
      const startedMs = performance.now();
      await requestPage(pool, pages++);
      spans.push(performance.now() - startedMs);
    }
    return spans;
  };

  await servePages((served) => served === warmUp);
  const quiet = watchMemory(gateway);
  print(spanLine('page of the graph, quiet', await servePages((served) => served === quietPages)));
  print(`  pages alone, resident memory ${quiet.stop()}`);
  for (const file of ['domains.csv', 'domains.jsonl']) {
    const spans: number[] = [];
    for (let at = 0; at < exportsOfEach; at += 1) {
      const memory = watchMemory(gateway);
      const startedMs = performance.now();
      let isSent = false;
      const sending = download(gateway, file).finally(() => {
        isSent = true;
      });
      spans.push(...(await servePages(() => isSent)));
      const bytes = await sending;
      const duration = performance.now() - startedMs;
      print(
        `  ${file} of ${megabytes(bytes)} in ${duration.toFixed(0)} ms, resident memory ${memory.stop()}`,
      );
    }
    print(spanLine(`page of the graph, during ${file}`, spans));
  }
  await pool.close();
}

/** The export that reads the list and stores its names, and health checks beside it. */
async function measureFirst(gateway: Child, pool: Pool): Promise<void> {
  const spans: number[] = [];
  const startedMs = performance.now();
  let isSent = false;
  const sending = download(gateway, 'domains.csv').finally(() => {
    isSent = true;
  });
  while (!isSent) {
    const sentMs = performance.now();
    const { body } = await pool.request({ method: 'GET', path: '/health/live' });
    await body.dump();
    spans.push(performance.now() - sentMs);
  }
  await sending;
  print(`  the first export took ${(performance.now() - startedMs).toFixed(0)} ms`);
  print(spanLine('health check, during the first export', spans));
}

/** Reads the file as fast as it is sent; returns its length. */
async function download(gateway: Child, file: string): Promise<number> {
  const { status, headers, body } = await fetch(`${gateway.url}/export/${file}`);
  if (status !== 200 || headers.get('x-list-complete') !== 'true' || !body) {
    throw new Error(`The export has the status ${status}, or not all domains.`);
  }
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Uint8Array).length;
  return bytes;
}

/** Samples the resident memory of a process until `stop`, which returns the first figure and the largest growth. */
function watchMemory(child: Child) {
  const startBytes = child.rssBytes() ?? Number.NaN;
  let maxBytes = startBytes;
  const timer = setInterval(() => {
    maxBytes = Math.max(maxBytes, child.rssBytes() ?? Number.NaN);
  }, sampleEveryMs);
  return {
    stop(): string {
      clearInterval(timer);
      return `${megabytes(startBytes)}, at most ${megabytes(maxBytes - startBytes)} more`;
    },
  };
}

async function requestPage(pool: Pool, at: number): Promise<void> {
  // A name at any place of the list, which need not exist.
  const name = `${String.fromCharCode(97 + (at % 26))}${at}.com`;
  const after = Buffer.from(JSON.stringify(['NAME ASC', '', name])).toString('base64url');
  const query = `{ domains(first: 20, after: "${after}") {
    totalCount nodes { name state expiresAt transferLocked nameServers } pageInfo { endCursor } } }`;
  await sendQuery(pool, query);
}
