import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSimulatedClock, endOfTurn } from '../../../test/support/simulated-clock.ts';
import { discardUnreadBody } from '../../lib/http.ts';
import { systemClock } from '../../lib/system.ts';
import { type ListenOptions, listen } from './listen.ts';

/** A connection that does not end fails its test soon. */
const limit = { timeout: 5_000 };
const randomness = { uuid: () => 'request-1', fraction: () => 0 };

type Handle = ListenOptions['handle'];

/** A server whose requests the test responds to, and connections to it. */
async function start(handle: Handle, options: Partial<ListenOptions> = {}) {
  const { url, drain } = await listen({
    ...{ host: '127.0.0.1', port: 0, clock: systemClock, randomness, handle },
    ...options,
  });
  onTestFinished(() => drain(0).then(() => undefined));
  return { url, drain, open: () => openClient(Number(new URL(url).port)) };
}

/** A connection of a client that sends any bytes. */
async function openClient(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  const changed = new EventTarget();
  const report = () => changed.dispatchEvent(new Event('change'));
  let hasEnded = false;
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    report();
  });
  for (const event of ['end', 'error', 'close']) {
    socket.on(event, () => {
      hasEnded = true;
      report();
    });
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo() && !hasEnded) await once(changed, 'change');
    return text;
  };
  return {
    socket,
    send: (bytes: string) => void socket.write(bytes),
    /** Everything that the server has sent once `part` is in it, or the connection has ended. */
    received: (part: string) => until(() => text.includes(part)),
    /** Everything that the server has sent when it has ended the connection. */
    end: () => until(() => false),
    isOpen: () => !hasEnded,
  };
}

const get = (path = '/') => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const post = (length: number) => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`;
const echo: Handle = ({ url }, response) => void response.end(`path ${url};`);

/** Requests that wait for their response. */
function queueOf() {
  const waiting: { request: IncomingMessage; response: ServerResponse }[] = [];
  const arrivals = new EventTarget();
  return {
    handle: ((request, response) => {
      waiting.push({ request, response });
      arrivals.dispatchEvent(new Event('arrival'));
    }) satisfies Handle,
    /** The request with this number, once it has arrived. */
    async arrival(at: number) {
      for (;;) {
        const found = waiting[at];
        if (found) return found;
        await once(arrivals, 'arrival');
      }
    },
  };
}

/** The time of bytes or of a connection from one end to the other, in this process. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await endOfTurn();
}

/** The head and the body of a response. */
function partsOf(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ', 2)));
  return { status: first.slice('HTTP/1.1 '.length), headers, body };
}

describe('the URL', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '[::1]'],
  ])('of the host %s has the host %s', async (host, named) => {
    const { url } = await start(echo, { host });

    expect(url).toMatch(/:[1-9]\d*$/);
    expect(url.replace(/:\d+$/, '')).toBe(`http://${named}`);
  });
});

describe('a start fails with the name of the setting to change', () => {
  const names = { port: 'METRICS_PORT', host: 'METRICS_HOST' };

  test.each([
    ['PORT', undefined],
    ['METRICS_PORT', names],
  ])('when the port is taken: %s', async (name, settings) => {
    const port = Number(new URL((await start(echo)).url).port);

    await expect(start(echo, { port, ...(settings && { settings }) })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(`Port ${port} .* taken; set ${name} `),
    });
  });

  test.each([
    ['HOST', undefined, '192.0.2.1'],
    ['HOST', undefined, 'nowhere.invalid'],
    ['METRICS_HOST', names, '192.0.2.1'],
  ])('when the address is not of this machine: %s', async (name, settings, host) => {
    await expect(start(echo, { host, ...(settings && { settings }) })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(`^${name}=${host} `),
    });
  });

  test('with the code of any other error', async () => {
    await expect(start(echo, { host: 'x'.repeat(300) })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/\(E[A-Z_]+\)/),
    });
  });
});

describe('a request reaches the handler', limit, () => {
  test('without a Host header, which the guards refuse', async () => {
    const { open } = await start(echo);
    const client = await open();

    client.send('GET /a HTTP/1.1\r\n\r\n');

    expect(await client.received(';')).toContain('path /a;');
  });

  test('with all of its headers', async () => {
    const { open } = await start(({ rawHeaders }, response) => {
      response.end(`${rawHeaders.length / 2} headers;`);
    });
    const client = await open();

    client.send(`GET / HTTP/1.1\r\n${'a:\r\n'.repeat(3_000)}\r\n`);

    expect(await client.received(';')).toContain('3000 headers;');
  });

  test.each(['100-continue', 'other'])(
    'before its body is requested, with expect: %s',
    async (expected) => {
      const { open } = await start(({ headers }, response) => {
        response.writeHead(413, { connection: 'close' }).end(`${headers.expect};`);
      });
      const client = await open();

      client.send(`POST / HTTP/1.1\r\nhost: a\r\nexpect: ${expected}\r\ncontent-length: 9\r\n\r\n`);
      const { status, body } = partsOf(await client.received(';'));

      expect([status, body]).toEqual(['413 Payload Too Large', expect.stringContaining(expected)]);
    },
  );

  test('on a connection that stays open longer than the minute of a proxy', async () => {
    const { open } = await start(echo);
    const client = await open();

    client.send(get('/a'));
    const { headers } = partsOf(await client.received('/a;'));
    client.send(get('/b'));

    expect(headers['keep-alive']).toMatch(/^timeout=65\b/);
    expect(await client.received('/b;')).toContain('/b;');
  });
});

describe(
  'bytes that are not a request are refused with a JSON body, and the connection ends',
  limit,
  () => {
    test.each<[string, string, string]>([
      ['text', 'hello\r\n\r\n', '400 Bad Request'],
      ['a CONNECT', 'CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n', '400 Bad Request'],
      [
        'headers beyond 16 KiB',
        `GET / HTTP/1.1\r\na: ${'a'.repeat(16_384)}\r\n\r\n`,
        '431 Request Header Fields Too Large',
      ],
      [
        'chunk extensions beyond 16 KiB',
        `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n`,
        '413 Payload Too Large',
      ],
    ])('%s', async (_what, bytes, status) => {
      const { open } = await start(() => undefined, { timeouts: { closeMs: 0 } });
      const client = await open();

      client.send(bytes);
      const found = partsOf(await client.end());

      expect(found.status).toBe(status);
      expect(found.headers).toMatchObject({
        ...{ 'x-request-id': 'request-1', connection: 'close' },
        ...{ 'content-type': 'application/json; charset=utf-8' },
        ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
        ...{ 'content-length': String(Buffer.byteLength(found.body)) },
      });
      expect(JSON.parse(found.body)).toMatchObject({
        errors: [
          { extensions: { code: 'INVALID_REQUEST', executed: 'NO', requestId: 'request-1' } },
        ],
      });
    });

    test('after half a second for the client to read why, whatever follows', async () => {
      const time = createSimulatedClock();
      const { handle, arrival } = queueOf();
      const { open } = await start(handle, { clock: time.clock });
      const client = await open();
      client.send(get());
      const { request, response } = await arrival(0);
      response.end(';');
      await client.received(';');

      client.send('hello\r\n\r\n');
      await client.end();
      client.send('further bytes');
      await someTurns();
      expect([request.socket.destroyed, time.waits()]).toEqual([false, [500]]);
      await time.pass(500);

      expect(request.socket.destroyed).toBe(true);
    });

    test('after the response to the complete request before them', async () => {
      const { handle, arrival } = queueOf();
      const { open } = await start(handle);
      const client = await open();

      client.send(`${get('/a')}hello\r\n\r\n`);
      const { response } = await arrival(0);
      await endOfTurn();
      response.end('the response');
      const { status, headers, body } = partsOf(await client.end());

      expect([status, headers.connection, body]).toEqual(['200 OK', 'close', 'the response']);
    });

    test('after the rest of the response to the complete request before them', async () => {
      const { handle, arrival } = queueOf();
      const { open } = await start(handle);
      const client = await open();

      client.send(get('/a'));
      const { request, response } = await arrival(0);
      response.writeHead(200, { 'content-length': '12' }).write('the re');
      await client.received('the re');
      const { bytesRead } = request.socket;
      client.send('hello\r\n\r\n');
      while (request.socket.bytesRead === bytesRead) await endOfTurn();
      response.end('sponse');

      expect(partsOf(await client.end()).body).toBe('the response');
    });

    test('and not into a response that has begun', async () => {
      const { open } = await start((_request, response) => {
        response.writeHead(200, { 'content-length': '12' }).write('the re');
      });
      const client = await open();

      client.send('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
      await client.received('the re');
      client.send('not a chunk\r\n');

      expect(partsOf(await client.end()).body).toBe('the re');
    });
  },
);

describe('a slow client', limit, () => {
  test.each<[string, string]>([
    ['its head', 'GET / HTTP/1.1\r\nhost: '],
    ['its body', post(9)],
  ])('that does not send the rest of %s is refused with 408', async (_what, bytes) => {
    const { open } = await start(() => undefined, { timeouts: { requestMs: 50, closeMs: 0 } });
    const client = await open();

    client.send(bytes);

    expect(partsOf(await client.end()).status).toBe('408 Request Timeout');
  });

  /** More than the buffers of a connection. */
  const long = Buffer.alloc(16_000_000);

  test('that reads nothing of its response is disconnected', async () => {
    const { handle, arrival } = queueOf();
    const { open } = await start(handle, { timeouts: { idleResponseMs: 50 } });
    const client = await open();
    client.socket.pause();

    client.send(get());
    const { response } = await arrival(0);
    response.end(long);
    await once(response, 'close');

    expect(response.writableFinished).toBe(false);
  });

  test('that waits for its response is not disconnected', async () => {
    const { handle, arrival } = queueOf();
    const { open } = await start(handle, { timeouts: { idleResponseMs: 20 } });
    const client = await open();

    client.send(get());
    const { request, response } = await arrival(0);
    await once(request.socket, 'timeout');
    response.end('the response;');

    expect(await client.received(';')).toContain('the response;');
  });
});

describe('a drain', limit, () => {
  test('lets a running request end, closes its connection, and accepts no other', async () => {
    const { handle, arrival } = queueOf();
    const { drain, open } = await start(handle);
    const client = await open();
    client.send(get());
    const { response } = await arrival(0);

    const drained = drain(60_000);
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    response.end('the response');
    const { headers, body } = partsOf(await client.end());

    expect([headers.connection, body]).toEqual(['close', 'the response']);
    expect(await drained).toBe(true);
  });

  test('closes the connection of a response that has begun when it has ended', async () => {
    const { handle, arrival } = queueOf();
    const { drain, open } = await start(handle);
    const client = await open();
    client.send(get());
    const { response } = await arrival(0);
    response.writeHead(200, { 'content-length': '12' }).write('the re');
    await client.received('the re');

    const drained = drain(60_000);
    response.end('sponse');

    expect(partsOf(await client.end()).body).toBe('the response');
    expect(await drained).toBe(true);
  });

  test('serves a request that it has received in part', async () => {
    const { handle, arrival } = queueOf();
    const { drain, open } = await start(handle);
    const client = await open();
    const [half, rest] = ['GET / HTTP/1.1\r\nhost: ', 'a\r\n\r\n'];
    client.send(get());
    const first = await arrival(0);
    client.send(half);
    first.response.end(';');
    const before = await client.received(';');

    const drained = drain(60_000);
    client.send(rest);
    (await arrival(1)).response.end('the response');
    const { headers, body } = partsOf((await client.end()).slice(before.length));

    expect([headers.connection, body]).toEqual(['close', 'the response']);
    expect(await drained).toBe(true);
  });

  test('closes idle connections', async () => {
    const { drain, open } = await start(echo);
    const client = await open();
    client.send(get());
    await client.received(';');

    expect(await drain(60_000)).toBe(true);
    await client.end();
  });

  test('closes connections without a request after half a second, in which their first one is served', async () => {
    const time = createSimulatedClock();
    const { handle, arrival } = queueOf();
    const { drain, open } = await start(handle, { clock: time.clock });
    const [client, unused] = [await open(), await open()];
    // The server has accepted the connections.
    client.send(get());
    (await arrival(0)).response.end(';');
    await client.received(';');
    const late = await open();
    await someTurns();

    const drained = drain(60_000);
    late.send('GET / HTTP/1.1\r\n');
    await someTurns();
    await time.pass(499);
    expect(unused.isOpen()).toBe(true);
    await time.pass(1);
    await unused.end();
    late.send('host: a\r\n\r\n');
    (await arrival(1)).response.end('the response');

    expect(await late.end()).toContain('the response');
    expect(await drained).toBe(true);
  });

  test.each([['before it'], ['during it']])(
    'does not wait for the rest of a body whose request was refused %s',
    async (when) => {
      const time = createSimulatedClock();
      const { handle, arrival } = queueOf();
      const { drain, open } = await start(handle, { clock: time.clock });
      const client = await open();
      client.send(post(9));
      const { request, response } = await arrival(0);
      discardUnreadBody(request, response, time.clock);
      const refuse = async () => {
        response.end('refused');
        await client.received('refused');
        await someTurns();
      };

      if (when === 'before it') await refuse();
      const drained = drain(60_000);
      if (when === 'during it') await refuse();
      await time.pass(500);

      expect(await drained).toBe(true);
    },
  );

  test('ends after its time, and then disconnects the clients whose requests run', async () => {
    const time = createSimulatedClock();
    const { handle, arrival } = queueOf();
    const { drain, open } = await start(handle, { clock: time.clock });
    const client = await open();
    client.send(get());
    await arrival(0);

    let isClean: boolean | null = null;
    const drained = drain(1_000).then((result) => {
      isClean = result;
    });
    await time.pass(999);
    expect([isClean, client.isOpen()]).toEqual([null, true]);
    await time.pass(1);
    await drained;

    expect(isClean).toBe(false);
    expect(await client.end()).toBe('');
  });
});
