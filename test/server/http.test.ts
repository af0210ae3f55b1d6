import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { sendRaw } from '../support/raw-request.ts';
import { requestPaths } from '../support/request-paths.ts';

const built = new URL('../../src/server/ui/graphiql/built/entry.json', import.meta.url);
/** A GET that names what it takes. */
const wanted = { headers: { accept: 'application/json' } };
const entry = JSON.parse(readFileSync(built, 'utf8'));

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(way);
  });
  afterAll(() => app.close());

  describe('what may be sent', () => {
    test.each([
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/graphql',
      'application/json-seq',
    ])('a POST of %s is refused with 415', async (type) => {
      const answer = await app.post('query=%7B%20ok%20%7D', { 'content-type': type });

      expect(answer.status).toBe(415);
      expect(answer.body.errors[0]).toMatchObject({
        message: 'A POST request must have the content type `application/json`.',
        extensions: { code: 'BAD_USER_INPUT', executed: 'NO' },
      });
    });

    test('a body past the limit is refused with 413, announced or not', async () => {
      const body = JSON.stringify({ query: '{ ok }', variables: { pad: 'x'.repeat(11_000) } });

      const announced = await app.post(body);
      const chunked = await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Blob([body]).stream(),
        duplex: 'half',
      } as RequestInit);

      expect([announced.status, chunked.status]).toEqual([413, 413]);
      expect(announced.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    });

    test('a body that is not JSON is refused with 400', async () => {
      const { status, body } = await app.post('{');

      expect(status).toBe(400);
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    });

    test('a batch is refused with 400', async () => {
      const { status, body } = await app.post([{ query: '{ ok }' }, { query: '{ ok }' }]);

      expect(status).toBe(400);
      expect(body.errors[0].message).toBe('Batching is not supported.');
    });

    test('a GET may query', async () => {
      const response = await app.request('/graphql?query=%7Bok%7D', wanted);

      expect(await response.json()).toMatchObject({ data: { ok: true } });
    });

    test('a GET must not change anything: 405', async () => {
      const response = await app.request('/graphql?query=mutation%7Bspend%7D', wanted);

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    });

    test('variables in a GET that are not JSON are refused with 400', async () => {
      const response = await app.request('/graphql?query=%7Bok%7D&variables=%7B', wanted);

      expect(response.status).toBe(400);
      expect(app.lines).toEqual([]);
    });

    test.each(['PUT', 'DELETE', 'OPTIONS'])('%s is refused with 405', async (method) => {
      const response = await app.request('/graphql', { method });

      expect(response.status).toBe(405);
    });
  });

  describe('what every answer says to a browser', () => {
    test.each(['/graphql?query=%7Bok%7D', '/health/live', '/nowhere', '/', '/icon.svg'])(
      '%s is not to be framed, sniffed or read by another site',
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

    test('answers of the graph are not kept', async () => {
      const { headers } = await app.post({ query: '{ ok }' });

      expect(headers.get('cache-control')).toBe('no-store');
    });

    test('while open, a name that merely points at this machine is not served', async () => {
      const { request } = await import('node:http');
      const status = await new Promise((resolve) => {
        request(`${app.url}/graphql`, { headers: { host: 'rebound.example' } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end();
      });

      expect(status).toBe(421);
    });
  });

  test.each(['[', 'a b', 'localhost:99999'])(
    'a Host that makes no address is 400, and the answer shows nothing of our insides: %s',
    async (host) => {
      const { status, headers, body } = await sendRaw(app.url, {
        headers: { host, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ ok }' }),
      });

      expect(status).toBe('400 Bad Request');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(JSON.parse(body).errors[0].extensions.code).toBe('BAD_USER_INPUT');
      expect(body).not.toContain('node_modules');
    },
  );

  describe('paths', () => {
    test('an unknown path is 404 with a sentence that names the graph', async () => {
      const response = await app.request('/v1/graphql');

      expect(response.status).toBe(404);
      expect(await response.text()).toContain('the graph is at /graphql');
    });

    test('the health of the process and its readiness are apart', async () => {
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

    test('a query that ends like a health path is still a query', async () => {
      const response = await app.request(
        '/graphql?query=%7Bok%7D&operationName=&x=/health/live',
        wanted,
      );

      expect(await response.json()).toMatchObject({ data: { ok: true } });
    });
  });

  describe('what a request brings along', () => {
    test('the account token comes from x-account-token, or else from Authorization', async () => {
      const ask = async (headers: Record<string, string>) =>
        (await app.post({ query: '{ token }' }, headers)).body.data.token;

      expect(await ask({ authorization: 'Bearer theirs' })).toBe('theirs');
      expect(await ask({ authorization: 'Bearer a.jwt', 'x-account-token': 'own' })).toBe('own');
      expect(await ask({ authorization: 'Basic dTpw' })).toBeNull();
      expect(await ask({})).toBeNull();
    });

    test('an implausible request id is replaced', async () => {
      const { headers } = await app.post({ query: '{ ok }' }, { 'x-request-id': 'a b;c' });

      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  test('in development an answer tells what it cost upstream', async () => {
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
    const closed = await startApp({ ...way, settings: { development: false } });

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
