import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { sendRaw } from '../support/raw-request.ts';
import { requestPaths } from '../support/request-paths.ts';

const shop = 'https://shop.example';
const body = JSON.stringify({ query: '{ ok }' });
const json = { 'content-type': 'application/json' };

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      ...way,
      settings: {
        auth: { kind: 'keys', keys: [] },
        allowedHosts: ['graph.example', '[::1]'],
        corsOrigins: [shop],
      },
    });
  });
  afterAll(() => app.close());

  const statusOf = async (headers: Readonly<Record<string, string>>, path: string) => {
    const method = path === '/graphql' ? 'POST' : 'GET';
    const response = await sendRaw(app.url, {
      ...{ path, method, body: method === 'POST' ? body : '' },
      headers: { ...(method === 'POST' && json), ...headers },
    });
    return Number(response.status.split(' ')[0]);
  };

  const host = 'graph.example';

  test.each<[string, Record<string, string>, string, number]>([
    ['a listed host', { host }, '/graphql', 401],
    ['another host', { host: 'other.example' }, '/graphql', 421],
    ['this machine', { host: '127.0.0.1' }, '/graphql', 421],
    ['a body that is not JSON', { host, 'content-type': 'text/plain' }, '/graphql', 415],
    ['a health check by address', { host: '10.1.2.3:4000' }, '/health/live', 200],
    ['a page of a listed origin', { host, origin: shop }, '/graphql', 401],
    ['a page of its own', { host, origin: 'https://graph.example' }, '/graphql', 401],
    ['a page of another origin', { host, origin: 'https://evil.example' }, '/graphql', 403],
  ])('a request for or from %s gets its status', async (_what, headers, path, status) => {
    expect(await statusOf(headers, path)).toBe(status);
  });

  test('a page of a listed origin can send requests and read every response', async () => {
    const preflight = await sendRaw(app.url, {
      method: 'OPTIONS',
      headers: {
        ...{ host: 'graph.example', origin: shop, 'access-control-request-method': 'POST' },
        'access-control-request-headers': 'content-type,x-api-key',
      },
      body: '',
    });
    const request = await sendRaw(app.url, {
      headers: { ...json, host: 'graph.example', origin: shop },
      body,
    });

    expect(preflight.status).toBe('204 No Content');
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': shop,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': expect.stringContaining('idempotency-key'),
    });
    expect(request.headers).toMatchObject({
      'access-control-allow-origin': shop,
      vary: 'origin',
      'x-content-type-options': 'nosniff',
    });
    for (const { headers } of [preflight, request]) {
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('a connection with a long unread body is closed, and any other remains open', async () => {
    const refused = await sendRaw(app.url, {
      headers: { ...json, host: 'other.example' },
      body: 'x'.repeat(1_100_000),
    });
    const open = await sendRaw(app.url, {
      ...{ method: 'GET', path: '/nowhere', body: '' },
      headers: { host: 'graph.example', connection: 'keep-alive' },
    });

    expect(refused.status).toBe('421 Misdirected Request');
    expect(refused.headers.connection).toBe('close');
    expect(open.headers.connection).toBe('keep-alive');
  });
});

describe('GraphiQL', () => {
  test('is served to a navigation from another site, without a query', async () => {
    const app = await startApp();
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const page = await sendRaw(app.url, {
      ...{ method: 'GET', path: '/graphql?query=%7Bok%7D', body: '' },
      headers: { host: 'localhost', accept: 'text/html', ...link },
    });
    await app.close();

    expect(page.status).toMatch(/^200/);
    expect(page.headers['content-type']).toContain('text/html');
  });
});
