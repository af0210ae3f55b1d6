import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { bareEnvironment } from '../support/process.ts';

const longTest = test.skipIf(whyNotShort);

const program = new URL('../../src/cli/run.mjs', import.meta.url).pathname;
const directories: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const one of directories.splice(0)) rmSync(one, { recursive: true, force: true });
});

/** Runs the program in a process with `bareEnvironment` only. */
function run(args: readonly string[] = [], env: Record<string, string> = {}, directory?: string) {
  const dataDir = directory ?? mkdtempSync(join(tmpdir(), 'reseller-graph-process-'));
  directories.push(dataDir);
  const child = spawn(process.execPath, [program, 'src/main', ...args], {
    env: {
      ...bareEnvironment,
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_LATENCY: 'none',
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { out: '', err: '' };
  const printed = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
    if (output.out.includes('curl')) printed.resolve(output.out);
  });
  child.stderr.on('data', (chunk) => {
    output.err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    printed.reject(new Error(`It ended before it listened: ${output.err}`));
    return { code, signal, ...output };
  });
  const url = printed.promise.then(
    (text) => /http:\/\/[\d.]+:\d+(?=\/graphql)/.exec(text)?.[0] ?? '',
  );
  // A test that expects no start uses neither, and must not fail by the rejection.
  url.catch(() => {});
  return { child, dataDir, ended, greeting: printed.promise, url };
}

test('the program prints its address and a query that works, and SIGTERM ends it with 0', async () => {
  const { child, greeting, url, ended } = run();

  const text = await greeting;
  const [, graph = '', body = ''] =
    /curl -s (\S+) -H 'content-type: application\/json' -d '(.+)'/.exec(text) ?? [];
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(graph, { method: 'POST', headers, body });
  child.kill('SIGTERM');

  expect(await ended).toMatchObject({ code: 0, signal: null });
  expect(text).toContain('nothing here costs money');
  expect(text).toContain(`GraphiQL   ${await url}/graphql`);
  expect(text).toContain('demo-token');
  expect(response.headers.get('content-type')).toContain('application/json');
});

longTest(
  'the program with a sandbox on another machine does not claim that nothing costs money',
  async () => {
    // Not a loopback address, although no packet leaves this machine.
    const DOMAIN_API_URL = 'http://0.0.0.0:9/domain-api';
    const { child, greeting, ended } = run([], {
      DOMAIN_API_URL,
      API_KEY: 'a-key-of-the-test-012',
    });

    const text = await greeting;
    child.kill('SIGTERM');
    await ended;

    expect(text).toContain('with 0.0.0.0 as its sandbox;');
    expect(text).not.toContain('costs money');
  },
);

longTest('SIGINT ends the program with 0', async () => {
  const { child, url, ended } = run();
  await url;

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ code: 0, signal: null });
});

longTest('a second signal after more than a second ends the program at once', async () => {
  const { child, url, ended } = run();
  // A connection that has sent half a request keeps the drain waiting.
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(await url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    'POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
  );
  await fetch(`${await url}/health/live`);

  child.kill('SIGTERM');
  await once(child.stderr as NodeJS.EventEmitter, 'data');
  // The same signal twice within a second counts as one.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  child.kill('SIGTERM');

  expect(await ended).toMatchObject({ code: 130 });
  socket.destroy();
});

test('the program reports every invalid setting on a line of its own and ends with 2', async () => {
  const { code, err, out } = await run([], { PORT: 'x', UPSTREAM: 'live' }).ended;

  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err.trim().split('\n')).toEqual([
    'reseller-graph: PORT must be a whole number from 0 to 65535; it is "x".',
    expect.stringContaining('UPSTREAM=live requires DOMAIN_API_URL'),
    expect.stringContaining('UPSTREAM=live requires credentials for clients'),
  ]);
});

longTest('an unknown option ends the program with 2', async () => {
  const { code, err } = await run(['--rest']).ended;

  expect(code).toBe(2);
  expect(err).toContain("Unknown option '--rest'");
});

longTest('--help prints the settings and starts no server', async () => {
  const { code, out } = await run(['--help']).ended;

  expect(code).toBe(0);
  expect(out).toContain('UPSTREAM_TIMEOUT_MS');
});

test('a port in use ends the program with 1 and one sentence', async () => {
  const first = run();
  const { port } = new URL(await first.url);

  const { code, err } = await run([], { PORT: port }).ended;

  expect(code).toBe(1);
  expect(err).toBe(
    `reseller-graph: Port ${port} of 127.0.0.1 is taken; set PORT to another one, or to 0 for any free one.\n`,
  );
});

longTest('an unusable manifest ends the program with 1 and one sentence', async () => {
  const { code, out, err } = await run([], { DOCUMENT_MANIFEST: '/nowhere/a.json' }).ended;

  expect([code, out]).toEqual([1, '']);
  expect(err).toBe('reseller-graph: The manifest "/nowhere/a.json" cannot be read (ENOENT).\n');
});

longTest('--fast starts the sandbox without latency', async () => {
  const { greeting } = run(['--fast'], { SANDBOX_LATENCY: 'realistic' });
  const sandbox = /Sandbox\s+(http:\S+)/.exec(await greeting)?.[1];

  const response = await fetch(`${sandbox}/admin/latency`);

  expect(await response.json()).toMatchObject({ perCallMs: 0, spreadMs: 0 });
});

longTest('--reset and --fast are refused with an external sandbox', async () => {
  const { code, err } = await run(['--reset', '--fast'], {
    DOMAIN_API_URL: 'http://127.0.0.1:9/domain-api',
  }).ended;

  expect(code).toBe(2);
  expect(err).toContain('--reset works only with the embedded sandbox and a SQLite journal.');
  expect(err).toContain('--fast works only with the embedded sandbox.');
});
