import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'iovalkey';
import { freePort } from './free-port.ts';

/** A server that a test may stop. */
export interface TestRedis {
  readonly url: string;
  /** A connection of the test. */
  readonly client: Redis;
  /** Kills it, as a power failure does; its data is lost. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Accepts connections and sends no replies until `goOn`. */
  hang(): void;
  goOn(): void;
  close(): Promise<void>;
}

const binary = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Null where tests can start one, else the reason to skip them. */
export const whyNoRedis: string | null = binary ? null : 'install valkey-server or redis-server';

export async function startRedis(): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  // A busy machine takes seconds to start a server.
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: 500,
  });
  client.on('error', () => undefined);
  let server: ChildProcess;

  const start = async () => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory];
    server = spawn(binary ?? '', [...options, '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    await client.ping();
  };
  const stop = async () => {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url,
    client,
    start,
    stop,
    hang: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    async close() {
      client.disconnect();
      if (server.exitCode === null && server.signalCode === null) await stop();
      rmSync(directory, { recursive: true });
    },
  };
}
