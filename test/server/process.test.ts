import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bareEnvironment } from '../support/process.ts';

const program = new URL('../../src/cli/run.mjs', import.meta.url).pathname;
const directories: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const one of directories.splice(0)) rmSync(one, { recursive: true, force: true });
});

/** The real program in a process of its own, with nothing of this process's environment but `bareEnvironment`. */
function run(args: readonly string[] = [], env: Record<string, string> = {}, directory?: string) {
  const dataDir = directory ?? mkdtempSync(join(tmpdir(), 'reseller-graph-process-'));
  directories.push(dataDir);
  const child = spawn(process.execPath, [program, 'main', ...args], {
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
  const heard = { out: '', err: '' };
  const printed = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk) => {
    heard.out += chunk;
    if (heard.out.includes('curl')) printed.resolve(heard.out);
  });
  child.stderr.on('data', (chunk) => {
    heard.err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    printed.reject(new Error(`It ended before it listened: ${heard.err}`));
    return { code, signal, ...heard };
  });
  const url = printed.promise.then(
    (text) => /http:\/\/[\d.]+:\d+(?=\/graphql)/.exec(text)?.[0] ?? '',
  );
  // A test that expects no start asks for neither, and must not fail by that.
  url.catch(() => {});
  return { child, dataDir, ended, greeting: printed.promise, url };
}

test('it says what to open and what to paste, and the query to paste works', async () => {
  const { child, greeting, url, ended } = run();

  const text = await greeting;
  const [, graph = '', body = ''] =
    /curl -s (\S+) -H 'content-type: application\/json' -d '(.+)'/.exec(text) ?? [];
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(graph, { method: 'POST', headers, body });
  child.kill('SIGTERM');
  await ended;

  expect(text).toContain('nothing here costs money');
  expect(text).toContain(`GraphiQL   ${await url}/graphql`);
  expect(text).toContain('demo-token');
  expect(response.headers.get('content-type')).toContain('application/json');
});

test('of a sandbox on another machine it does not say that nothing costs money', async () => {
  // No address of loopback, though nothing leaves this machine.
  const DOMAIN_API_URL = 'http://0.0.0.0:9/domain-api';
  const { child, greeting, ended } = run([], { DOMAIN_API_URL, API_KEY: 'a-key-of-the-test-012' });

  const text = await greeting;
  child.kill('SIGTERM');
  await ended;

  expect(text).toContain('with 0.0.0.0 as its sandbox;');
  expect(text).not.toContain('costs money');
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with 0', async (signal) => {
  const { child, url, ended } = run();
  await url;

  child.kill(signal);

  expect(await ended).toMatchObject({ code: 0, signal: null });
});

test('a second signal after more than a second ends it at once', async () => {
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

test('wrong settings are all named, one line each, and end it with 2', async () => {
  const { code, err, out } = await run([], { PORT: 'x', UPSTREAM: 'live' }).ended;

  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err.trim().split('\n')).toEqual([
    'reseller-graph: PORT must be a whole number from 0 to 65535; it is "x".',
    expect.stringContaining('UPSTREAM=live requires DOMAIN_API_URL'),
    expect.stringContaining('UPSTREAM=live requires credentials for clients'),
  ]);
});

test('an unknown option ends it with 2', async () => {
  const { code, err } = await run(['--rest']).ended;

  expect(code).toBe(2);
  expect(err).toContain("Unknown option '--rest'");
});

test('--help prints the settings and starts nothing', async () => {
  const { code, out } = await run(['--help']).ended;

  expect(code).toBe(0);
  expect(out).toContain('UPSTREAM_TIMEOUT_MS');
});

test('a port that is taken is said in one sentence, and ends it with 1', async () => {
  const first = run();
  const { port } = new URL(await first.url);

  const { code, err } = await run([], { PORT: port }).ended;

  expect(code).toBe(1);
  expect(err).toBe(
    `reseller-graph: Port ${port} of 127.0.0.1 is taken; set PORT to another one, or to 0 for any free one.\n`,
  );
});

test('a manifest that cannot be used is said in one sentence, and ends it with 1', async () => {
  const { code, out, err } = await run([], { DOCUMENT_MANIFEST: '/nowhere/a.json' }).ended;

  expect([code, out]).toEqual([1, '']);
  expect(err).toBe('reseller-graph: The manifest "/nowhere/a.json" cannot be read (ENOENT).\n');
});

test('--fast lets the sandbox answer at once', async () => {
  const { greeting } = run(['--fast'], { SANDBOX_LATENCY: 'realistic' });
  const sandbox = /Sandbox\s+(http:\S+)/.exec(await greeting)?.[1];

  const response = await fetch(`${sandbox}/admin/latency`);

  expect(await response.json()).toMatchObject({ perCallMs: 0, spreadMs: 0 });
});

test('--reset and --fast are refused for a sandbox elsewhere', async () => {
  const { code, err } = await run(['--reset', '--fast'], {
    DOMAIN_API_URL: 'http://127.0.0.1:9/domain-api',
  }).ended;

  expect(code).toBe(2);
  expect(err).toContain('--reset works only with the embedded sandbox and a SQLite journal.');
  expect(err).toContain('--fast works only with the embedded sandbox.');
});
