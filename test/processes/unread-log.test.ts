import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { whyNotShort } from '../support/long.ts';
import { type ProcessOptions, type Running, startProcess } from '../support/process.ts';

const started: Running[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const one of started.splice(0)) await one.kill();
  for (const one of folders.splice(0)) await rm(one, { recursive: true, force: true });
});

async function startGateway(options: ProcessOptions) {
  const dataDir = await newFolder('unread-log');
  folders.push(dataDir);
  const metricsPort = String(await freePort());
  const env = { PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: metricsPort, DATA_DIR: dataDir };
  const gateway = await startProcess('src/main', env, [], options);
  started.push(gateway);
  const droppedLines = async () => {
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^reseller_graph_log_lines_dropped_total (\d+)$/m.exec(page)?.[1]);
  };
  return { ...gateway, droppedLines };
}

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Sends cheap requests on one connection; each writes a log line of about 200 bytes. */
async function writeLines({ origin }: Gateway, count: number): Promise<void> {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write('HEAD /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(count - 1));
  socket.write('HEAD /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
}

/** Writes lines until some are dropped, and returns how many are. */
async function fillTheLog(gateway: Gateway): Promise<number> {
  for (let round = 0; round < 10; round += 1) {
    await writeLines(gateway, 2_000);
    const dropped = await gateway.droppedLines();
    if (dropped > 0) return dropped;
  }
  return 0;
}

const read = async ({ origin }: Gateway): Promise<unknown> => {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ domain(name: "reseller-demo.com") { name } }' }),
    signal: AbortSignal.timeout(20_000),
  });
  return response.json();
};

const answer = { data: { domain: { name: 'reseller-demo.com' } } };

test.skipIf(whyNotShort)(
  'a stalled reader of standard error delays no response and no stop, and gets the count of dropped lines',
  async () => {
    const gateway = await startGateway({ stderr: 'pipe' });

    const dropped = await fillTheLog(gateway);
    const whileStalled = await read(gateway);
    let written = '';
    gateway.stderr?.setEncoding('utf8').on('data', (chunk) => {
      written += chunk;
    });
    await expect.poll(() => written, { timeout: 20_000 }).toContain('log lines were dropped');
    gateway.stderr?.pause();
    await writeLines(gateway, 2_000);
    const exitCode = await gateway.stop();

    expect(dropped).toBeGreaterThan(0);
    expect(whileStalled).toMatchObject(answer);
    const report = written.split('\n').find((line) => line.includes('log lines were dropped'));
    expect(JSON.parse(report ?? '').count).toBeGreaterThanOrEqual(dropped);
    expect(exitCode).toBe(0);
  },
);

test.skipIf(whyNotShort)(
  'standard error on a full disk delays no response and no stop',
  async () => {
    const full = openSync('/dev/full', 'w');
    const gateway = await startGateway({ stderr: full });
    closeSync(full);

    const whileFull = await read(gateway);
    const exitCode = await gateway.stop();

    expect(whileFull).toMatchObject(answer);
    expect(exitCode).toBe(0);
  },
);

test('an unexpected error is the last line of the log before the process ends', async () => {
  const plant = "process.on('SIGUSR2', () => { throw new Error('planted'); })";
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(plant)}`];
  const gateway = await startGateway({ stderr: 'pipe', nodeArgs });
  let written = '';
  gateway.stderr?.setEncoding('utf8').on('data', (chunk) => {
    written += chunk;
  });

  gateway.signal('SIGUSR2');
  const exitCode = await gateway.exitCode;

  expect(JSON.parse(written.trim().split('\n').at(-1) ?? '')).toMatchObject({
    level: 'error',
    msg: 'fatal error',
    error: { message: 'planted', stack: expect.stringContaining('planted') },
  });
  expect(exitCode).toBe(1);
});
