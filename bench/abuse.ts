import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { print, readArguments } from '../src/console/program.ts';
import { abuse, slow } from '../test/abuse/inputs/all.ts';
import { type AbuseInput, key } from '../test/abuse/inputs/input.ts';
import { problemsOf } from '../test/abuse/problems.ts';
import { sendBytes } from '../test/abuse/send.ts';
import { startInspected } from '../test/soak/inspected.ts';
import { startChild } from './engine/child.ts';

const help = `Sends the inputs of test/abuse to a gateway while another client sends queries, and prints failures, latencies and memory.

Usage: npm run bench:abuse -- [--rounds N]

  --rounds N  Default 5.
`;

const { values } = readArguments('bench:abuse', help, {
  options: { rounds: { type: 'string', default: '5' } },
});
const rounds = Number(values.rounds);
const inputs = Object.values(abuse).flat();

/** The requests of the neighbour. */
const neighbourly: readonly (() => Promise<void>)[] = [
  () => sendQuery('{ __typename }'),
  () => sendQuery('{ domain(name: "reseller-demo.com") { name state } }'),
  () => readLive(),
];

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

interface Slowest {
  ms: number;
  what: string;
}

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-abuse-'));
const sandbox = await startChild({
  file: 'sandbox/main.ts',
  core: null,
  env: { SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none', DATA_DIR: folder },
});
const gateway = await startInspected({
  ...{ AUTH: 'keys', API_KEY: key, DEVELOPMENT: 'false', LOG_LEVEL: 'warn' },
  ...{ PORT: '0', DATA_DIR: folder, DOMAIN_API_URL: `${sandbox.url}/domain-api` },
});
const pool = new Pool(gateway.origin, { connections: 1 });
try {
  await run();
} finally {
  await pool.destroy();
  await gateway.stop();
  await sandbox.stop();
  rmSync(folder, { recursive: true });
}

async function run(): Promise<void> {
  // Everything is compiled, and each document refused once, before anything is measured.
  for (const send of neighbourly) await send();
  for (const input of inputs) await attempt(input);

  const refusal: Slowest = { ms: 0, what: '' };
  const neighbour: Slowest = { ms: 0, what: '' };
  const failures: string[] = [];
  const memory = [(await gateway.held()).heap];
  for (let round = 0; round < rounds; round += 1) {
    for (const input of inputs) {
      const [tried, ...ofNeighbour] = await Promise.all([
        timed(() => attempt(input)),
        ...neighbourly.map(timed),
      ]);
      failures.push(...tried.result);
      note(refusal, tried.ms, input.name);
      for (const { ms } of ofNeighbour) note(neighbour, ms, `beside "${input.name}"`);
    }
    memory.push((await gateway.held()).heap);
  }
  const slowFailures = await Promise.all(slow.map(attempt));

  const all = [...failures, ...slowFailures.flat()];
  print(`${inputs.length} inputs, ${rounds} rounds, and ${slow.length} slow senders once`);
  print(`failures          ${all.length}${all.map((one) => `\n  ${one}`).join('')}`);
  print(`slowest refusal   ${refusal.ms.toFixed(1)} ms, ${refusal.what}`);
  print(`slowest neighbour ${neighbour.ms.toFixed(1)} ms, ${neighbour.what}`);
  print(`live memory       ${memory.map(mebibytes).join(', ')} MiB, before and after each round`);
  if (all.length > 0) process.exitCode = 1;
}

async function attempt(input: AbuseInput): Promise<readonly string[]> {
  const problems = problemsOf(input, await sendBytes(gateway.origin, input.bytes));
  return problems.map((one) => `${input.name}: ${one}`);
}

/** @throws Error when the neighbour receives a wrong response. */
async function sendQuery(document: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/graphql',
    headers: { host: 'localhost', 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: document }),
  });
  const text = await body.text();
  if (statusCode !== 200 || text.includes('"errors"')) throw new Error(`neighbour: ${text}`);
}

/** @throws Error when the gateway is not live. */
async function readLive(): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path: '/health/live' });
  await body.dump();
  if (statusCode !== 200) throw new Error(`/health/live: ${statusCode}`);
}

async function timed<Result>(work: () => Promise<Result>) {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

function note(slowest: Slowest, ms: number, what: string): void {
  if (ms > slowest.ms) Object.assign(slowest, { ms, what });
}
