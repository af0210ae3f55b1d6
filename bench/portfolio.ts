import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { demoPortfolio } from '../sandbox/service/seed.ts';
import { print, readArguments } from '../src/console/program.ts';
import { type Child, startChild } from './engine/child.ts';
import { sendQuery } from './engine/send-query.ts';
import { spanLine } from './engine/statistics.ts';
import { gatewayNodeArgs } from './servers/table.ts';

// By default the gateway runs with the Node flags of `npm start`.
//
// Sandbox, gateway and client are three processes. No two requests are equal, so no response comes from the response
// cache.

const help = `Measures pages, filters and counts of a cached list, and the latency of requests while a list is read.

Usage: npm run bench:portfolio -- [options]

  --domains 1000,100000  Sizes of the portfolio.
  --requests N           Of each kind; default 500.
  --node-args=FLAGS      Further Node flags of the gateway, such as --max-semi-space-size=4.
`;

const { values } = readArguments('bench:portfolio', help, {
  options: {
    domains: { type: 'string', default: '1000,100000' },
    requests: { type: 'string', default: '500' },
    'node-args': { type: 'string', default: '' },
  },
});
const requests = Number(values.requests);
const warmUp = 100;

/** One request for each number. */
type DocumentOf = (at: number) => string;

const dayMs = 86_400_000;
const nodes =
  'totalCount nodes { name state expiresAt transferLocked nameServers } pageInfo { endCursor }';
const names = [...demoPortfolio(20_000)].map(([name]) => name);
const nameOf = (at: number) => names[(at * 7919) % names.length] ?? '';
const dateOf = (at: number) =>
  new Date(Date.UTC(2026, 0, 1) + ((at * 37) % 1400) * dayMs).toISOString();
const after = (...position: string[]) =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

const pages: Readonly<Record<string, DocumentOf>> = {
  'first page': (at) => `{ domains(first: ${20 + (at % 2)}) { ${nodes} } }`,
  'filtered page': (at) =>
    `{ domains(first: 20, filter: { tlds: ["com"], states: [ACTIVE], transferLocked: true, expires: { from: "${dateOf(at)}" } },
      orderBy: { field: EXPIRES_AT }) { ${nodes} } }`,
  'deep page': (at) =>
    `{ domains(first: 20, after: "${after('NAME ASC', '', nameOf(at))}") { ${nodes} } }`,
  'deep page by date': (at) =>
    `{ domains(first: 20, after: "${after('EXPIRES_AT DESC', dateOf(at), nameOf(at))}",
      orderBy: { field: EXPIRES_AT, direction: DESC }) { ${nodes} } }`,
  'text page': (at) =>
    `{ domains(first: 20, filter: { contains: "${nameOf(at).slice(1, 9)}" }) { ${nodes} } }`,
  'short text page': (at) =>
    `{ domains(first: 20, filter: { contains: "${nameOf(at).slice(0, 2)}", expires: { from: "${dateOf(at)}" } }) { ${nodes} } }`,
  stats: (at) =>
    `{ domainStats(filter: { expires: { from: "${dateOf(at)}" } }) { totalCount byTld { value count } byState { state count }
      byExpiryMonth { value count } byNameServer { value count } renewals { from count totals { price { amount } } } } }`,
};

const admin = (sandbox: Child, path: string, body: object) =>
  fetch(`${sandbox.url}/admin${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const memoryOf = (child: Child) =>
  `${((child.rssBytes() ?? Number.NaN) / 1e6).toFixed(0)} MB resident`;

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
try {
  for (const domains of values.domains.split(',').map(Number)) await measure(domains);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(domains: number): Promise<void> {
  const env = {
    DATA_DIR: join(folder, String(domains)),
    SANDBOX_PORT: '0',
    SANDBOX_LATENCY: 'none',
    PORT: '0',
  };
  const sandbox = await startChild({
    file: 'sandbox/main.ts',
    args: ['--domains', String(domains), '--list-size', '0'],
    env,
    core: null,
  });
  const gateway = await startChild({
    file: 'src/main.ts',
    nodeArgs: [...gatewayNodeArgs, ...values['node-args'].split(' ').filter(Boolean)],
    env: {
      ...env,
      DOMAIN_API_URL: `${sandbox.url}/domain-api`,
      DOMAIN_MAX_AGE_SECONDS: '3600',
      UPSTREAM_TIMEOUT_MS: '60000',
      LOG_LEVEL: 'warn',
    },
    core: null,
  });
  const pool = new Pool(gateway.url, { connections: 2, pipelining: 1 });
  try {
    print(`\n${domains.toLocaleString('en')} domains`);
    const startedMs = performance.now();
    await sendQuery(pool, '{ domains(first: 1) { totalCount } }');
    print(
      `  first list read in ${(performance.now() - startedMs).toFixed(0)} ms, ${memoryOf(gateway)}`,
    );
    for (const [what, document] of Object.entries(pages))
      print(spanLine(what, await spansOf(pool, document)));

    const first = pages['first page'] as DocumentOf;
    print(spanLine('first page, quiet', await spansOf(pool, first, 4 * requests)));
    const unchanged = async () => undefined;
    print(
      spanLine(
        '… while a list is read, rows unchanged',
        await underRefresh(pool, first, unchanged),
      ),
    );
    const nextDay = () => admin(sandbox, '/clock', { advanceDays: 1 });
    print(
      spanLine('… while a list is read, all rows new', await underRefresh(pool, first, nextDay)),
    );
    print(`  at the end ${memoryOf(gateway)}`);
  } finally {
    await pool.close();
    await gateway.stop();
    await sandbox.stop();
  }
}

async function spansOf(pool: Pool, document: DocumentOf, count = requests): Promise<number[]> {
  const spans: number[] = [];
  for (let at = -warmUp; at < count; at += 1) {
    const startedMs = performance.now();
    await sendQuery(pool, document(at + warmUp));
    if (at >= 0) spans.push(performance.now() - startedMs);
  }
  return spans;
}

/** Spans of page requests while lists are read one after the other, `prepare` before each. */
async function underRefresh(pool: Pool, document: DocumentOf, prepare: () => Promise<unknown>) {
  const spans: number[] = [];
  for (let lists = 0; lists < 3; lists += 1) {
    await prepare();
    let isOver = false;
    const startedMs = performance.now();
    const refresh = sendQuery(pool, '{ domains(first: 1, refresh: true) { totalCount } }').then(
      () => {
        isOver = true;
      },
    );
    for (let at = 0; !isOver; at += 1) {
      const sentMs = performance.now();
      await sendQuery(pool, document(at));
      if (!isOver) spans.push(performance.now() - sentMs);
    }
    await refresh;
    if (lists === 2)
      print(
        `  a list of its own takes ${(performance.now() - startedMs).toFixed(0)} ms concurrently`,
      );
  }
  return spans;
}
