import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { because } from '../../../test/support/skipped.ts';
import { systemClock } from '../../lib/system.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';

const never = new AbortController().signal;

/** Listens on a free port of loopback until the test ends. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<import('node:net').Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A server whose requests are counted. */
async function startServer(respond: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  const port = await listen(server);
  return { requests, url: `http://127.0.0.1:${port}/path?query=1`, port };
}

const outboundOf = (changes: Partial<OutboundOptions> = {}) =>
  createOutbound({ clock: systemClock, allowsPrivate: true, timeoutMs: 5_000, ...changes });

const postTo = (url: string, changes: Partial<OutboundOptions> = {}, stop = never) =>
  outboundOf(changes).post({ url, headers: { 'x-test': 'yes' }, body: '{"a":"ü"}', stop });

test('a request has its method, path, headers and body, and closes its connection', async () => {
  let body = '';
  const { url, requests } = await startServer(async (request, response) => {
    for await (const chunk of request) body += chunk;
    response.writeHead(201, { 'retry-after': '7' }).end('ok');
  });

  expect(await postTo(url)).toEqual({ status: 201, retryAfter: '7', body: 'ok' });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/path?query=1' });
  expect(requests[0]?.headers).toMatchObject({
    ...{ 'x-test': 'yes', 'content-length': '10', 'accept-encoding': 'identity' },
  });
  expect(body).toBe('{"a":"ü"}');
  await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) is not followed',
  { tags: ['W5'] },
  async (status) => {
    const target = await startServer((_request, response) => response.end());
    const { url } = await startServer((_request, response) =>
      response.writeHead(status, { location: target.url }).end(),
    );

    expect(await postTo(url)).toMatchObject({ status });
    expect(target.requests).toEqual([]);
  },
);

test('a short body is read to its end', async () => {
  let wasOpen = false;
  const { url } = await startServer(async (request, response) => {
    response.write('x'.repeat(60 * 1024));
    await new Promise((resolve) => setTimeout(resolve, 50));
    wasOpen = !request.socket.destroyed;
    response.end();
  });

  expect(await postTo(url)).toMatchObject({ status: 200 });
  expect(wasOpen).toBe(true);
});

test('a body of 50 MB is read up to 64 KiB', { tags: ['W7'] }, async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const { url, requests } = await startServer((_request, response) => {
    const write = () => {
      while (sent < 50 * 1024 * 1024) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });

  // The beginning of the body is returned.
  const body = expect.stringMatching(/^.{1,4096}$/su);
  expect(await postTo(url)).toEqual({ status: 200, retryAfter: undefined, body });
  await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
  // The rest is in the buffers of the sockets at most.
  expect(sent).toBeLessThan(20 * 1024 * 1024);
});

describe('an endpoint that does not respond', () => {
  const timedOut = { failure: 'There was no response within 5 seconds.' };

  /** The result of a request that hangs until the deadline has passed. */
  async function hang(respond: RequestListener) {
    const { url, requests } = await startServer(respond);
    const time = createSimulatedClock();
    const posting = postTo(url, { clock: time.clock });
    await expect.poll(() => requests.length).toBe(1);
    // A head that was sent has arrived.
    await new Promise((resolve) => setTimeout(resolve, 50));
    time.advance(5_000);
    time.passToNextTimer();
    const result = await posting;
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
    return result;
  }

  test('fails at the deadline', async () => {
    expect(await hang(() => undefined)).toEqual(timedOut);
  });

  test('to the end of its body has responded with its status', async () => {
    const result = await hang((_request, response) => {
      response.writeHead(202);
      response.write('first');
    });

    expect(result).toMatchObject({ status: 202, retryAfter: undefined });
  });
});

test('a request that is stopped rejects with the reason', async () => {
  const { url, requests } = await startServer(() => undefined);
  const stop = new AbortController();
  // Neither the deadline nor a timeout of the socket ends this request.
  const posting = postTo(url, { timeoutMs: 60 * 60_000 }, stop.signal);
  await expect.poll(() => requests.length).toBe(1);
  stop.abort(new Error('closing'));

  await expect(posting).rejects.toThrow('closing');
  await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
});

test.each(['http', 'https'])('an endpoint that resets %s fails with a sentence', async (scheme) => {
  const port = await listen(createSocketServer((socket) => socket.resetAndDestroy()));

  expect(await postTo(`${scheme}://127.0.0.1:${port}/`)).toEqual({
    failure: expect.stringMatching(
      /^The endpoint closed the connection without a response \((?:ECONNRESET|UND_ERR_SOCKET)\)\.$/,
    ),
  });
});

test('a port where nothing listens is refused', async () => {
  const server = createSocketServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));

  expect(await postTo(`http://127.0.0.1:${port}/`)).toEqual({
    failure: 'The endpoint refused the connection (ECONNREFUSED).',
  });
});

test.each([
  ['garbage', 'secret bytes\r\n\r\n', 'The response is not valid HTTP.'],
  ['a broken head', 'HTTP/1.1 200 OK\r\nsecret\r\n\r\n', 'The response is not valid HTTP.'],
  [
    'headers that are too large',
    `HTTP/1.1 200 OK\r\nsecret: ${'x'.repeat(20_000)}\r\n\r\n`,
    'The headers of the response are too large.',
  ],
])('a response with %s shows none of its bytes', async (_what, bytes, failure) => {
  const port = await listen(createSocketServer((socket) => socket.end(bytes)));
  const result = (await postTo(`http://127.0.0.1:${port}/`)) as { readonly failure: string };

  expect(result.failure.replace(/ \(\w+\)/, '')).toBe(failure);
  expect(result.failure).not.toMatch(/secret|undefined/);
});

test('an endpoint without TLS fails with a sentence', async () => {
  const port = await listen(createSocketServer((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n')));

  expect(await postTo(`https://127.0.0.1:${port}/`)).toEqual({
    failure: expect.stringMatching(/^The TLS handshake with the endpoint failed \(\w+\)\.$/),
  });
});

describe('addresses that are not public', () => {
  const notPublic =
    'The host has an address that is not public; WEBHOOKS_ALLOW_PRIVATE=true allows it.';

  test.each([
    ...[
      'http://127.0.0.1',
      'http://2130706433',
      'http://0x7f000001',
      'http://0x7f.1',
      'http://017700000001',
    ],
    ...[
      'http://127.1',
      'http://127.0.0.1.',
      'http://[::1]',
      'http://[::ffff:127.0.0.1]',
      'http://[::ffff:7f00:1]',
    ],
    ...[
      'http://[64:ff9b::7f00:1]',
      'http://[2002:7f00:1::]',
      'http://10.0.0.1',
      'http://169.254.169.254',
    ],
    ...['http://0.0.0.0', 'http://0', 'http://[::]', 'http://１２７.0.0.1', 'http://[fe80::1]'],
  ])('%s is refused before a connection', { tags: ['W5'] }, async (origin) => {
    const { port, requests } = await startServer((_request, response) => response.end());
    const outbound = outboundOf({ allowsPrivate: false });
    const url = `${origin}:${port}/`;

    expect(await outbound.flawOf(url)).toBe(notPublic);
    expect(await outbound.post({ url, headers: {}, body: '', stop: never })).toEqual({
      failure: notPublic,
    });
    expect(requests).toEqual([]);
  });

  const public4 = { address: '203.0.114.1', family: 4 };
  const loopback = { address: '127.0.0.1', family: 4 };

  test.each([
    [[loopback]],
    [[public4, loopback]],
    [[{ address: '::1', family: 6 }]],
    [[{ address: '::ffff:10.0.0.1', family: 6 }]],
  ])('a host that resolves to %o is refused', { tags: ['W5'] }, async (addresses) => {
    const { port, requests } = await startServer((_request, response) => response.end());
    const outbound = outboundOf({ allowsPrivate: false, resolve: async () => addresses });
    const url = `http://host.example:${port}/`;

    expect(await outbound.flawOf(url)).toBe(notPublic);
    expect(await outbound.post({ url, headers: {}, body: '', stop: never })).toEqual({
      failure: notPublic,
    });
    expect(requests).toEqual([]);
  });

  test('a host that resolves to a public address first and to loopback second is refused at the connection', {
    tags: ['W5'],
  }, async () => {
    const { port, requests } = await startServer((_request, response) => response.end());
    const answers = [[public4], [loopback], [public4]];
    const hosts: string[] = [];
    const outbound = outboundOf({
      allowsPrivate: false,
      async resolve(host) {
        hosts.push(host);
        return answers.shift() ?? [loopback];
      },
    });
    const url = `http://host.example:${port}/`;

    expect(await outbound.flawOf(url)).toBeNull();
    expect(await outbound.post({ url, headers: {}, body: '', stop: never })).toEqual({
      failure: notPublic,
    });
    expect(hosts).toEqual(['host.example', 'host.example']);
    expect(requests).toEqual([]);
  });

  test('the resolved address is the one that is connected to, with the host of the URL', async () => {
    const { port, requests } = await startServer((_request, response) => response.end());
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [loopback];
    };

    expect(await postTo(`http://host.example:${port}/`, { resolve })).toMatchObject({
      status: 200,
    });
    expect(requests[0]?.headers.host).toBe(`host.example:${port}`);
    expect(lookups).toBe(1);
  });

  test('a public literal address is accepted without the resolver', async () => {
    const outbound = outboundOf({
      allowsPrivate: false,
      resolve: () => Promise.reject(new Error('not used')),
    });

    expect(await outbound.flawOf('https://203.0.114.1/')).toBeNull();
    expect(await outbound.flawOf('https://[2606:4700:4700::1111]:8443/')).toBeNull();
  });

  test('a host that cannot be resolved, or has no address, is refused', async () => {
    const failing = outboundOf({
      resolve: () => Promise.reject(Object.assign(new Error('secret'), { code: 'ENOTFOUND' })),
    });
    const empty = outboundOf({ resolve: async () => [] });
    const odd = outboundOf({ resolve: () => Promise.reject(new Error('secret')) });
    expect(await odd.flawOf('https://a.example/')).toBe('The host cannot be resolved.');

    expect(await failing.flawOf('https://a.example/')).toBe(
      'The host cannot be resolved (ENOTFOUND).',
    );
    expect(await empty.flawOf('https://a.example/')).toBe('The host has no address.');
    expect(await outboundOf().flawOf('http://127.0.0.1/')).toBeNull();
  });

  test('a resolver that does not respond fails the check at the deadline', async () => {
    const time = createSimulatedClock();
    const outbound = outboundOf({ clock: time.clock, resolve: () => new Promise(() => undefined) });
    const checking = outbound.flawOf('https://a.example/');
    await time.pass(5_000);

    expect(await checking).toBe('There was no response within 5 seconds.');
  });
});

test('a proxy of the environment is not used', { tags: ['W5'] }, async () => {
  const proxy = await startServer((_request, response) => response.end());
  const { url, requests } = await startServer((_request, response) => response.end());
  const program = `
    const { createOutbound } = await import(${JSON.stringify(new URL('./outbound.ts', import.meta.url).href)});
    const { systemClock } = await import(${JSON.stringify(new URL('../../lib/system.ts', import.meta.url).href)});
    const outbound = createOutbound({ clock: systemClock, allowsPrivate: true, timeoutMs: 5_000 });
    const stop = new AbortController().signal;
    console.log(JSON.stringify(await outbound.post({ url: '${url}', headers: {}, body: '', stop })));`;
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program],
    { env: { NODE_USE_ENV_PROXY: '1', http_proxy: proxyUrl, HTTP_PROXY: proxyUrl } },
  );

  expect(JSON.parse(stdout)).toMatchObject({ status: 200 });
  expect([requests.length, proxy.requests.length]).toEqual([1, 0]);
});

const why = spawnSync('openssl', ['version']).status === 0 ? null : 'install openssl';

test.skipIf(why)(`a certificate that no authority signed is refused${because(why)}`, async () => {
  const folder = await newFolder('certificate');
  onTestFinished(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${cert}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  let requests = 0;
  const server = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (_request, response) => {
      requests += 1;
      response.end();
    },
  );
  const port = await listen(server);

  expect(await postTo(`https://localhost:${port}/`)).toEqual({
    failure: 'The TLS certificate of the endpoint is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).',
  });
  expect(requests).toBe(0);
});
