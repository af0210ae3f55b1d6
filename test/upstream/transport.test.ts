import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { UpstreamCall } from '../../src/upstream/client/operation.ts';
import { createTransport } from '../../src/upstream/client/transport.ts';
import { faultOf, password, token, username } from './clients.ts';
import { replyText, requestOf } from './fixtures.ts';
import { connectTo, startTcp, startUpstream } from './upstream-server.ts';

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
      response.writeHead(200, { 'content-length': 10_000 }).write(details.slice(0, 50));
      setTimeout(() => response.socket?.destroy(), 10);
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
      readFileSync(new URL(`./fixtures/tls/${name}.pem`, import.meta.url));
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

describe('time', () => {
  test('a silent upstream costs a read one deadline for all attempts', async () => {
    const upstream = await startUpstream(() => {});
    const startedMs = performance.now();

    const fault = await faultOf(
      connectTo(upstream.origin, { timeoutMs: 200 }).domain('getdetails'),
    );

    expect(fault).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO' });
    expect(performance.now() - startedMs).toBeLessThan(550);
    expect(upstream.attempts).toHaveLength(1);
  });

  test('a write waits three times as long, and then its outcome is unknown', async () => {
    const upstream = await startUpstream(() => {});
    const startedMs = performance.now();

    const fault = await faultOf(
      connectTo(upstream.origin, { timeoutMs: 100 }).domain('registerdomain'),
    );

    expect(fault).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'UNKNOWN' });
    expect(performance.now() - startedMs).toBeGreaterThan(290);
    expect(upstream.attempts).toHaveLength(1);
  });

  test('a bulk check has a second more for each name', async () => {
    const upstream = await startUpstream((_, response) =>
      setTimeout(() => response.end(replyText('bulkcheckavailability')), 300),
    );

    const answer = await connectTo(upstream.origin, { timeoutMs: 100 }).domain(
      'bulkcheckavailability',
    );

    expect(answer).toBeInstanceOf(Map);
  });

  test('a body that arrives slower than the deadline fails', async () => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200).write('{');
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });

    const fault = await faultOf(
      connectTo(upstream.origin, { timeoutMs: 200 }).domain('getdetails'),
    );

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
      setTimeout(() => response.end(registered), 50);
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

  test('characters that are split between chunks are decoded correctly', async () => {
    const bytes = Buffer.from(replyText('resellerdetails').replace('Acme Reseller', 'Çağrı Öz'));
    const upstream = await startUpstream((_, response) => {
      const cut = bytes.indexOf('Ç') + 1;
      response.write(bytes.subarray(0, cut));
      setTimeout(() => response.end(bytes.subarray(cut)), 20);
    });

    expect(await connectTo(upstream.origin).domain('resellerdetails')).toMatchObject({
      name: 'Çağrı Öz',
    });
  });
});
