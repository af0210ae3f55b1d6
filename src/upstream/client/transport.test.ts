import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { faultOf, password, token, username } from '../../../test/support/upstream/clients.ts';
import { replyText, requestOf } from '../../../test/support/upstream/fixtures.ts';
import {
  connectTo,
  startTcp,
  startUpstream,
} from '../../../test/support/upstream/upstream-server.ts';
import type { UpstreamCall } from './operation.ts';
import { createTransport, type WireRequest } from './transport.ts';

const details = replyText('getdetails');
const registered = replyText('registerdomain');

test('an action is a POST below the base path, with the credentials in the body and nowhere else', async () => {
  const upstream = await startUpstream((_, response) => response.end(details));
  const { domain } = connectTo(`${upstream.origin}/domain-api/`);

  await domain('getdetails');

  const [attempt] = upstream.attempts;
  expect(attempt).toMatchObject({ method: 'POST', url: '/domain-api/?action=getdetails' });
  expect(attempt?.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(JSON.parse(attempt?.body ?? '')).toEqual({
    ...requestOf('getdetails'),
    username,
    password,
  });
  const elsewhere = JSON.stringify([attempt?.headers, attempt?.url]);
  expect(elsewhere).not.toContain(username);
  expect(elsewhere).not.toContain('wörd');
});

test('an Account API call carries the token of its caller as a header, and fills the path', async () => {
  const upstream = await startUpstream((_, response) => response.writeHead(204).end());
  const { account } = connectTo(`${upstream.origin}/account-api`);

  await account('updateHostingGroup');
  await account('logout');

  const { id: _, ...fields } = requestOf('updateHostingGroup') as { id: string };
  expect(upstream.attempts).toMatchObject([
    {
      method: 'PATCH',
      url: '/account-api/hosting/group/grp%201%2F2',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    },
    { method: 'POST', url: '/account-api/auth/logout', body: '' },
  ]);
  expect(upstream.attempts[0]?.body).not.toContain(token);
});

describe('retries', () => {
  const failures: Record<string, Parameters<typeof startUpstream>[0]> = {
    'a reset after the request was read': (request) => request.socket.resetAndDestroy(),
    'a reply that breaks off': (_, response) => {
      response.writeHead(200, { 'content-length': 10_000 });
      response.write(details.slice(0, 50), () => response.socket?.destroy());
    },
    'a 502 page': (_, response) =>
      response.writeHead(502).end('<html><body>Bad gateway</body></html>'),
    'a 503 without a body': (_, response) => response.writeHead(503).end(),
    'a 429': (_, response) => response.writeHead(429, { 'retry-after': '0' }).end(),
    'an empty 200': (_, response) => response.end(),
    'a truncated body under its own length': (_, response) => response.end(details.slice(0, 80)),
  };

  for (const [name, answer] of Object.entries(failures)) {
    test(`${name} makes a read try three times and a write once`, async () => {
      const upstream = await startUpstream(answer);
      const { domain } = connectTo(upstream.origin);

      const read = await faultOf(domain('getdetails'));
      const attemptsOfRead = upstream.attempts.length;
      const write = await faultOf(domain('registerdomain'));

      expect(attemptsOfRead).toBe(3);
      expect(upstream.attempts.length - attemptsOfRead).toBe(1);
      expect(read.executed).toBe('NO');
      expect(write.executed).toBe('UNKNOWN');
      expect(write.code).toBe(read.code);
    });
  }

  test('a read that fails once and then succeeds is a success, and both attempts are reported', async () => {
    const upstream = await startUpstream((request, response, attempt) =>
      attempt === 1 ? request.socket.resetAndDestroy() : response.end(details),
    );
    const calls: UpstreamCall[] = [];
    const { domain } = connectTo(upstream.origin);

    await domain('getdetails', { onCall: (call) => calls.push(call) });

    expect(calls).toMatchObject([
      { api: 'domain', action: 'getdetails', attempt: 1, outcome: 'UPSTREAM_UNAVAILABLE' },
      { api: 'domain', action: 'getdetails', attempt: 2, outcome: 'OK' },
    ]);
  });

  test('a refusal of the upstream is not retried', async () => {
    const upstream = await startUpstream((_, response) =>
      response.writeHead(400).end(replyText('quirks/getdetails.error-510')),
    );

    const fault = await faultOf(connectTo(upstream.origin).domain('getdetails'));

    expect(fault).toMatchObject({ code: 'NOT_FOUND', executed: 'NO' });
    expect(upstream.attempts).toHaveLength(1);
  });

  test('a socket that the peer closes as a write goes out on it carries that write once, and the outcome is unknown', async () => {
    let requests = 0;
    const upstream = await startTcp((socket) => {
      socket.on('data', (chunk) => {
        if (!chunk.toString().startsWith('POST')) return;
        requests += 1;
        if (requests > 1) socket.destroy();
        else
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(details)}\r\n\r\n${details}`,
          );
      });
    });
    const { domain } = connectTo(upstream.origin, { connections: 1 });

    await domain('getdetails');
    const fault = await faultOf(domain('registerdomain'));

    expect(fault).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', executed: 'UNKNOWN' });
    expect(requests).toBe(2);
    expect(upstream.connections()).toBe(1);
  });
});

describe('without a connection the outcome is certain', () => {
  test('refused', async () => {
    const upstream = await startTcp(() => {});
    const closed = upstream.origin.replace(/\d+$/, '1');

    const fault = await faultOf(connectTo(closed).domain('registerdomain'));

    expect(fault).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      executed: 'NO',
      cause: 'ECONNREFUSED',
    });
  });

  test('an unknown host', async () => {
    const fault = await faultOf(connectTo('http://nowhere.invalid').domain('registerdomain'));

    expect(fault).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' });
  });

  test('a TLS handshake that fails', async () => {
    const upstream = await startTcp((socket) => socket.end('this is no TLS\r\n'));
    const https = upstream.origin.replace('http:', 'https:');

    const fault = await faultOf(connectTo(https).domain('registerdomain'));

    expect(fault).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' });
  });

  test('an untrusted certificate', async () => {
    const certificate = (name: string) =>
      readFileSync(
        new URL(`../../../test/support/upstream/fixtures/tls/${name}.pem`, import.meta.url),
      );
    let requests = 0;
    const server = createServer(
      { key: certificate('key'), cert: certificate('certificate') },
      () => {
        requests += 1;
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;

    const fault = await faultOf(connectTo(`https://127.0.0.1:${port}`).domain('registerdomain'));

    expect(fault).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      executed: 'NO',
      cause: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(requests).toBe(0);
  });

  test('a deadline that passed before the attempt began', async () => {
    const upstream = await startUpstream((_, response) => response.end(registered));
    const { send } = createTransport(upstream.origin, 1);

    const fault = await faultOf(
      send({
        method: 'POST',
        path: '/',
        headers: {},
        stop: AbortSignal.abort(),
        deadlineMs: 1,
      }),
    );

    expect(fault).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO' });
    expect(upstream.attempts).toHaveLength(0);
  });

  test('a closed transport', async () => {
    const { domain, transport } = connectTo('http://127.0.0.1:1');
    await transport.close();

    const fault = await faultOf(domain('registerdomain'));

    expect(fault).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' });
  });
});

describe('a deadline', () => {
  test.each([
    ['getdetails', 'NO'],
    ['registerdomain', 'UNKNOWN'],
  ])('closes the socket of %s, whose outcome is executed: %s', async (action, executed) => {
    const { clock, pass } = createSimulatedClock();
    const closed = Promise.withResolvers<void>();
    const upstream = await startUpstream((_, response) => {
      response.on('close', closed.resolve);
      void pass(3 * 60_000);
    });

    const fault = await faultOf(connectTo(upstream.origin, { clock }).domain(action));

    expect(fault).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed });
    await closed.promise;
    expect(upstream.attempts).toHaveLength(1);
  });

  test('passes for a body that arrives too slowly', async () => {
    const { clock, pass } = createSimulatedClock();
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200).write('{', () => void pass(60_000));
    });

    const fault = await faultOf(connectTo(upstream.origin, { clock }).domain('getdetails'));

    expect(fault.code).toBe('UPSTREAM_TIMEOUT');
  });
});

describe("the client's abort", () => {
  test('ends a read at once with its own reason', async () => {
    const caller = new AbortController();
    const upstream = await startUpstream(() => caller.abort(new Error('gone')));
    const outcomes: string[] = [];

    const reading = connectTo(upstream.origin).domain('getdetails', {
      signal: caller.signal,
      onCall: ({ outcome }) => outcomes.push(outcome),
    });

    await expect(reading).rejects.toThrow('gone');
    expect(outcomes).toEqual(['ABORTED']);
  });

  test('before a read sends nothing at all', async () => {
    const upstream = await startUpstream((_, response) => response.end(details));
    const signal = AbortSignal.abort(new Error('gone'));

    await expect(connectTo(upstream.origin).domain('getdetails', { signal })).rejects.toThrow(
      'gone',
    );

    expect(upstream.attempts).toHaveLength(0);
  });

  test('does not touch a write', async () => {
    const caller = new AbortController();
    const upstream = await startUpstream((_, response) => {
      caller.abort(new Error('gone'));
      setImmediate(() => response.end(registered));
    });

    const answer = await connectTo(upstream.origin).domain('registerdomain', {
      signal: caller.signal,
    });

    expect(answer).toMatchObject({ name: 'acme-shop.com' });
  });
});

describe('replies', () => {
  test('a body above the limit fails before it is read completely', async () => {
    let written = 0;
    const upstream = await startUpstream(async (_, response) => {
      response.writeHead(200);
      const gone = once(response, 'close').then(() => true);
      const ready = () => once(response, 'drain').then(() => false);
      let isGone = false;
      while (!isGone && written < 100_000_000) {
        written += 1_000_000;
        if (!response.write('x'.repeat(1_000_000))) isGone = await Promise.race([ready(), gone]);
      }
    });

    const fault = await faultOf(connectTo(upstream.origin).domain('getdetails'));

    expect(fault.code).toBe('UPSTREAM_PROTOCOL');
    expect(upstream.attempts).toHaveLength(1);
    expect(written).toBeLessThan(50_000_000);
  });

  test('a redirect is not followed', async () => {
    const elsewhere = await startUpstream((_, response) => response.end(details));
    const upstream = await startUpstream((_, response) =>
      response.writeHead(307, { location: `${elsewhere.origin}/` }).end(),
    );

    const fault = await faultOf(connectTo(upstream.origin).domain('getdetails'));

    expect(fault.code).toBe('UPSTREAM_PROTOCOL');
    expect(elsewhere.attempts).toHaveLength(0);
  });

  test('a PHP warning before the JSON is skipped', async () => {
    const warning =
      '<br />\n<b>Warning</b>:  Undefined index: [x] in <b>/var/www/a.php</b> on line <b>12</b><br />\n';
    const upstream = await startUpstream((_, response) => response.end(`${warning}${details}`));

    const answer = await connectTo(upstream.origin).domain('getdetails');

    expect(answer).toMatchObject({ name: 'acme-shop.com' });
  });

  test('a list of domains arrives in the reply, or in the sink of its caller', async () => {
    const upstream = await startUpstream((_, response) => response.end(replyText('getdomainlist')));
    const { domain } = connectTo(upstream.origin);
    const rows: unknown[] = [];
    const rowSink = {
      begin: () => undefined,
      takeKnown: () => false,
      take: (row: unknown) => void rows.push(row),
    };

    const alone = await domain('getdomainlist');
    const withSink = await domain('getdomainlist', { rowSink });

    const names = [{ name: 'acme-shop.com' }, { name: 'acme-shop.net' }];
    expect(alone).toMatchObject({ domains: names, totalCount: 2 });
    expect(withSink).toMatchObject({ domains: [], totalCount: 2 });
    expect(rows).toMatchObject(names);
  });

  test('characters that are split between chunks are decoded correctly', async () => {
    const bytes = Buffer.from(replyText('resellerdetails').replace('Acme Reseller', 'Çağrı Öz'));
    const upstream = await startUpstream((_, response) => {
      const cut = bytes.indexOf('Ç') + 1;
      response.write(bytes.subarray(0, cut), () => response.end(bytes.subarray(cut)));
    });

    expect(await connectTo(upstream.origin).domain('resellerdetails')).toMatchObject({
      name: 'Çağrı Öz',
    });
  });
});

/** One attempt through the transport alone. */
function transportTo(baseUrl: string) {
  const { send, close } = createTransport(baseUrl, 1);
  onTestFinished(() => void close());
  const post = (request: Partial<WireRequest> = {}) =>
    send({
      ...{ method: 'POST', path: '/', headers: {}, deadlineMs: 60_000 },
      ...{ stop: new AbortController().signal, ...request },
    });
  return { post, close };
}

describe('one attempt', () => {
  test('has the method, path, headers and body of its request, below any number of slashes', async () => {
    const upstream = await startUpstream((_, response) => response.writeHead(201).end('done'));
    const { post } = transportTo(`${upstream.origin}/base//`);

    const response = await post({
      ...{ method: 'PATCH', path: '/x?y=1', body: 'text', headers: { 'x-one': '1' } },
    });

    expect(response).toMatchObject({ status: 201, body: 'done' });
    expect(upstream.attempts).toMatchObject([
      {
        ...{ method: 'PATCH', url: '/base/x?y=1', body: 'text' },
        headers: { 'x-one': '1', accept: 'application/json', 'accept-encoding': 'identity' },
      },
    ]);
  });

  test('without a body has none', async () => {
    const upstream = await startUpstream((_, response) => response.end());
    await transportTo(upstream.origin).post({ method: 'DELETE' });

    expect(upstream.attempts[0]?.headers).not.toHaveProperty('content-type');
    expect(upstream.attempts[0]?.body).toBe('');
  });

  test('ignores informational responses', async () => {
    const upstream = await startUpstream((_, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(200, { 'x-last': 'yes' }).end('{}');
    });

    const response = await transportTo(upstream.origin).post();

    expect(response).toMatchObject({ status: 200, body: '{}', headers: { 'x-last': 'yes' } });
  });

  test('that is no valid HTTP request is an error of the gateway, and was not sent', async () => {
    const upstream = await startUpstream((_, response) => response.end());

    const fault = await faultOf(transportTo(upstream.origin).post({ path: '/a b' }));

    expect(fault).toMatchObject({ code: 'INTERNAL', executed: 'NO', cause: 'UND_ERR_INVALID_ARG' });
    expect(upstream.attempts).toHaveLength(0);
  });

  test.each<[what: string, bytes: string, retryable: boolean, cause: string]>([
    ['that is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', false, 'HTTPParserError'],
    [
      'whose body ends early',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}',
      true,
      'UND_ERR_SOCKET',
    ],
    [
      'with a broken chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZ\r\n',
      true,
      'HTTPParserError',
    ],
  ])(
    'with a response %s has an unknown outcome, and its bytes are not shown',
    async (_, bytes, retryable, cause) => {
      const upstream = await startTcp((socket) => {
        socket.on('data', () => socket.end(bytes));
      });

      const fault = await faultOf(transportTo(upstream.origin).post());

      const known = { code: 'UPSTREAM_PROTOCOL', executed: 'UNKNOWN', retryable, cause };
      expect(fault).toMatchObject(known);
      expect(fault.message).not.toContain('SSH');
    },
  );

  test.each([
    ['any response', ''],
    ['a final response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('without %s has an unknown outcome', async (_, bytes) => {
    const upstream = await startTcp((socket) => {
      socket.on('data', () => socket.end(bytes));
    });

    expect(await faultOf(transportTo(upstream.origin).post())).toMatchObject({
      ...{ code: 'UPSTREAM_UNAVAILABLE', executed: 'UNKNOWN', retryable: true },
    });
  });
});

describe('the end of an attempt', () => {
  test('is the reason of its client, if that aborted it, and else a timeout', async () => {
    const gone = new Error('gone');
    const late = new Error('late');
    for (const [reason, expected] of [
      [gone, gone],
      [late, expect.objectContaining({ code: 'UPSTREAM_TIMEOUT', executed: 'UNKNOWN' })],
    ]) {
      const client = new AbortController();
      const stop = new AbortController();
      const upstream = await startUpstream(() => {
        stop.abort(reason);
        client.abort(gone);
      });

      const outcome = transportTo(upstream.origin).post({
        ...{ stop: stop.signal, signal: client.signal },
      });

      await expect(outcome).rejects.toEqual(expected);
    }
  });

  test('is at once for a client that is gone, which sends nothing', async () => {
    const gone = new Error('gone');
    const upstream = await startUpstream((_, response) => response.end());

    await expect(
      transportTo(upstream.origin).post({ signal: AbortSignal.abort(gone) }),
    ).rejects.toBe(gone);

    expect(upstream.attempts).toHaveLength(0);
  });
});

test('a closed transport waits for the attempts in progress, and refuses later ones', async () => {
  const answer = Promise.withResolvers<void>();
  const received = Promise.withResolvers<void>();
  const upstream = await startUpstream(async (_, response) => {
    received.resolve();
    await answer.promise;
    response.end('done');
  });
  const { post, close } = transportTo(upstream.origin);
  const first = post();
  await received.promise;

  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  expect(await faultOf(post())).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' });
  expect(isClosed).toBe(false);
  answer.resolve();

  expect(await first).toMatchObject({ body: 'done' });
  await closing;
  await close();
  expect(upstream.attempts).toHaveLength(1);
});

test.each([
  [0, 'done'],
  [1, 'UPSTREAM_PROTOCOL'],
])('a body of 16 megabytes and %i bytes: %s', async (more, outcome) => {
  const upstream = await startUpstream((_, response) =>
    response.end(Buffer.alloc(16 * 1024 * 1024 + more, ' ')),
  );

  const ended = await transportTo(upstream.origin)
    .post()
    .then(
      () => 'done',
      ({ code, executed }) => `${code}${executed === 'UNKNOWN' ? '' : executed}`,
    );

  expect(ended).toBe(outcome);
});
