import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../src/server/http/http-request.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { sendBeforeReading, sendRaw } from '../support/raw-request.ts';
import { requestPaths } from '../support/request-paths.ts';

const built = new URL('../../src/server/ui/graphiql/built/entry.json', import.meta.url);
/** A GET with an accept header. */
const wanted = { headers: { accept: 'application/json' } };
const chunked = { 'transfer-encoding': 'chunked' };
const entry = JSON.parse(readFileSync(built, 'utf8'));

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(way);
  });
  afterAll(() => app.close());

  describe('a request', () => {
    test.each([
      [10_001, {}],
      [10_001, chunked],
      [10_000_000, {}],
      [16_000_000, chunked],
    ])(
      'with a body above the limit is refused with 413 that every client can read: %i bytes %j',
      async (bytes, encoding) => {
        const json = { 'content-type': 'application/json' };
        const long = { headers: { ...json, ...encoding }, body: Buffer.alloc(bytes, ' ') };

        const fetched = await app.request('/graphql', {
          ...{ method: 'POST', headers: json, duplex: 'half' },
          body: encoding === chunked ? new Blob([long.body]).stream() : long.body,
        } as RequestInit);
        const raw = await sendRaw(app.url, long);
        const late = await sendBeforeReading(app.url, long);

        const tooLarge = '413 Payload Too Large';
        expect([fetched.status, raw.status, late.status]).toEqual([413, tooLarge, tooLarge]);
        for (const text of [await fetched.text(), raw.body, late.body]) {
          expect(JSON.parse(text).errors).toMatchObject([
            {
              message: 'The body of a request has at most 10000 bytes.',
              extensions: { code: 'INVALID_REQUEST', executed: 'NO' },
            },
          ]);
        }
      },
    );

    test('with a body that is not JSON is refused with 400', async () => {
      const { status, body } = await app.post('{');

      expect(status).toBe(400);
      expect(body.errors[0].extensions.code).toBe('INVALID_REQUEST');
    });

    test('with a batch is refused with 400', async () => {
      const { status, body } = await app.post([{ query: '{ ok }' }, { query: '{ ok }' }]);

      expect(status).toBe(400);
      expect(body.errors[0].message).toBe('Batching is not supported.');
    });

    test('by GET can be a query', async () => {
      const response = await app.request('/graphql?query=%7Bok%7D', wanted);

      expect(await response.json()).toMatchObject({ data: { ok: true } });
    });

    test('by GET with a mutation is refused with 405', async () => {
      const response = await app.request('/graphql?query=mutation%7Bspend%7D', wanted);

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    });

    test('by GET with variables that are not JSON is refused with 400', async () => {
      const response = await app.request('/graphql?query=%7Bok%7D&variables=%7B', wanted);

      expect(response.status).toBe(400);
      expect(app.lines).toEqual([]);
    });
  });

  describe('the headers of a response', () => {
    test.each(['/graphql?query=%7Bok%7D', '/health/live', '/nowhere', '/', '/icon.svg'])(
      'of %s forbid framing, sniffing and reads by other sites',
      async (path) => {
        const { headers } = await app.request(path, {
          headers: { origin: 'https://evil.example' },
        });

        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
        expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
      },
    );

    test('of the graph forbid caching', async () => {
      const { headers } = await app.post({ query: '{ ok }' });

      expect(headers.get('cache-control')).toBe('no-store');
    });
  });

  test.each([
    ['a b', '400 Bad Request'],
    ['rebound.example', '421 Misdirected Request'],
  ])('the Host %s is refused with %s, without internals in the response', async (host, refused) => {
    const { status, headers, body } = await sendRaw(app.url, {
      headers: { host, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ ok }' }),
    });

    expect(status).toBe(refused);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(JSON.parse(body).errors[0].extensions.code).toBe('INVALID_REQUEST');
    expect(body).not.toContain('node_modules');
  });

  describe('paths', () => {
    test('an unknown path is 404, with a sentence that names the path of the graph', async () => {
      const response = await app.request('/v1/graphql');

      expect(response.status).toBe(404);
      expect(await response.text()).toContain('the graph is at /graphql');
    });

    test('liveness does not depend on readiness', async () => {
      const stuck = await startApp({
        ...way,
        health: {
          readiness: async () => 'The journal cannot be written.',
          isStopping: () => false,
          upstream: () => ({}),
        },
      });

      const live = await stuck.request('/health/live');
      const ready = await stuck.request('/health/ready');
      const serving = await stuck.request('/health/serving');
      await stuck.close();

      expect([live.status, serving.status]).toEqual([200, 200]);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toEqual({
        status: 'not ready',
        reason: 'The journal cannot be written.',
        upstream: {},
      });
    });

    test('a query string that ends like a health path does not change the path', async () => {
      const response = await app.request(
        '/graphql?query=%7Bok%7D&operationName=&x=/health/live',
        wanted,
      );

      expect(await response.json()).toMatchObject({ data: { ok: true } });
    });
  });

  describe('the headers of a request', () => {
    test('provide the account token by x-account-token, or else by Authorization', async () => {
      const send = async (headers: Record<string, string>) =>
        (await app.post({ query: '{ token }' }, headers)).body.data.token;

      expect(await send({ authorization: 'Bearer theirs' })).toBe('theirs');
      expect(await send({ authorization: 'Bearer a.jwt', 'x-account-token': 'own' })).toBe('own');
      expect(await send({ authorization: 'Basic dTpw' })).toBeNull();
      expect(await send({})).toBeNull();
    });

    test('provide the request id unless it is invalid', async () => {
      const { headers } = await app.post({ query: '{ ok }' }, { 'x-request-id': 'a b;c' });

      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  test('in development a response lists its upstream calls', async () => {
    const call = { api: 'domain', attempt: 1, outcome: 'OK' } as const;
    const traced = await startApp({
      ...way,
      calls: [
        { ...call, action: 'getdetails', durationMs: 12.6 },
        { ...call, action: 'getdetails', durationMs: 3.2 },
        { ...call, action: 'bulkcheckavailability', durationMs: 40, batch: 3 },
      ],
    });

    const { body } = await traced.post({ query: '{ ok }' });
    await traced.close();

    expect(body.extensions.upstream).toMatchObject({
      calls: 3,
      byAction: { getdetails: 2, bulkcheckavailability: 1 },
    });
    expect(body.extensions.upstream.list[0]).toEqual({
      ...call,
      action: 'getdetails',
      durationMs: 13,
    });
  });

  test('outside development there is no trace and no GraphiQL', async () => {
    const closed = await startApp({
      ...way,
      settings: { development: false, introspection: 'off' },
    });

    const answer = await closed.post({ query: '{ ok }' });
    const page = await closed.request('/graphql', { headers: { accept: 'text/html,*/*;q=0.8' } });
    const asset = await closed.request(`/graphiql/${entry.script}`);
    await closed.close();

    expect(answer.body).toEqual({
      data: { ok: true },
      extensions: { cost: { upstreamCalls: 0, limit: 20 } },
    });
    expect([page.status, asset.status]).toEqual([400, 404]);
  });
});

test('a request that follows on a connection which the server is closing is not processed', async () => {
  const requests: string[] = [];
  const observer = { requestBegins: ({ target }: HttpRequest) => void requests.push(target) };
  const app = await startApp({ observer: observer as never });
  const { port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const head = 'HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

  socket.write(`POST /graphql ${head}content-length: 2000000\r\n\r\n`);
  await once(socket.resume(), 'end');
  socket.end(`${' '.repeat(2_000_000)}GET /health/live ${head}\r\n`);
  await once(socket, 'close');
  await app.close();

  expect(requests).toEqual(['/graphql']);
});
