import { describe, expect, test } from 'vitest';
import { createRequest, responseEnd, sentTo } from '../../../test/support/server/request.ts';
import { readConfig } from '../../config/config.ts';
import { createGuards } from './guards.ts';
import { setCommonHeaders } from './responses.ts';

type Sent = Omit<NonNullable<Parameters<typeof createRequest>[0]>, 'headers'> & {
  readonly headers?: Readonly<Record<string, string | undefined>>;
};

const shop = 'https://shop.example';
const host = 'graph.example';

interface Gateway {
  readonly development?: boolean;
  readonly isOpen?: boolean;
  readonly openRequests?: number;
}

function startGuards({ development = false, isOpen = false, openRequests = 1 }: Gateway = {}) {
  const settings = {
    ...readConfig({}).server,
    ...{ development, allowedHosts: [host, '[::1]'], corsOrigins: [shop], maxBodyBytes: 100 },
  };
  const passes = createGuards(settings, {
    routes: { '/': {}, '/health/live': {} },
    isOpen,
    openRequests: () => openRequests,
  });
  return (sent: Sent = {}) => {
    const { method = 'POST', target = '/graphql' } = sent;
    const usual =
      method === 'POST'
        ? { host, 'content-type': 'application/json', 'content-length': '9' }
        : { host };
    const headers = Object.fromEntries(
      Object.entries({ ...usual, ...sent.headers }).filter(([, value]) => value !== undefined),
    );
    const request = createRequest({ ...sent, method, target, headers });
    setCommonHeaders(request);
    const isPassed = passes(request);
    const { response } = request;
    return {
      status: isPassed ? 'passed' : response.statusCode,
      headers: response.getHeaders(),
      /** The text of the response, which is sent at the end of the turn. */
      sent: async () => {
        await new Promise(setImmediate);
        return sentTo(request);
      },
      request,
    };
  };
}

const send = (sent: Sent, gateway: Gateway = {}) => startGuards(gateway)(sent);
const statusOf = (sent: Sent, gateway: Gateway = {}) => send(sent, gateway).status;
const withHeaders = (headers: Sent['headers'], gateway: Gateway = {}) =>
  statusOf({ headers: headers ?? {} }, gateway);
const get = (headers: Readonly<Record<string, string>>, target = '/graphql') => ({
  ...{ method: 'GET', target, headers },
});

test.each([
  [`/graphql?${'x'.repeat(8_192 - 9)}`, 'passed'],
  [`/graphql?${'x'.repeat(8_192 - 8)}`, 414],
  ['/graphql/', 'passed'],
  ['/unknown', 'passed'],
  ['/graphql/../graphql', 400],
  ['\\graphql', 400],
  ['/graphql#a', 400],
  ['http://graph.example/graphql', 400],
  ['*', 400],
])('a target is a plain path of at most 8,192 characters: %s', (target, status) => {
  expect(statusOf({ target })).toBe(status);
});

test.each([
  [100, 'passed'],
  [101, 431],
])('of %i headers a request has at most 100', (count, status) => {
  const rawHeaders = ['host', host, ...Array.from({ length: 2 * (count - 1) }, () => 'x')];

  expect(statusOf({ rawHeaders })).toBe(status);
});

describe('the header Host', () => {
  test.each([
    [host, 'passed', 421],
    ['GRAPH.example:4000', 'passed', 421],
    ['[::1]:4000', 'passed', 'passed'],
    ['localhost', 421, 'passed'],
    ['127.0.0.1:4000', 421, 'passed'],
    ['127.0.0.1.example', 421, 421],
    ['graph.example.evil.example', 421, 421],
    ['999.1.1.1', 400, 400],
    ['graph.example:', 400, 400],
    ['graph.example:123456', 400, 400],
    ['user@graph.example', 400, 400],
    ['graph.example/', 400, 400],
    ['graph.example localhost', 400, 400],
    ['', 400, 400],
    [undefined, 400, 400],
  ])('%s is checked: %s with keys, %s without authentication', (name, withKeys, open) => {
    expect(withHeaders({ host: name })).toBe(withKeys);
    expect(withHeaders({ host: name }, { isOpen: true })).toBe(open);
  });

  test('is required once', () => {
    expect(statusOf({ rawHeaders: ['Host', host, 'HOST', host] })).toBe(400);
    expect(
      statusOf({
        rawHeaders: ['host', host, 'x-a', 'host', 'x-host', host, 'hos', 't', 'date', 'x'],
      }),
    ).toBe('passed');
    expect(
      statusOf({ target: '/health/live', method: 'GET', rawHeaders: ['host', 'a', 'host', 'a'] }),
    ).toBe(400);
  });

  test('is checked for each request', () => {
    const guards = startGuards();
    const statuses = [host, 'other.example', host, 'other.example'].map(
      (name) => guards({ headers: { host: name } }).status,
    );

    expect(statuses).toEqual(['passed', 421, 'passed', 421]);
  });

  test.each([
    ['10.1.2.3:8080', 'passed'],
    ['other.example', 'passed'],
    [undefined, 'passed'],
    ['a b', 400],
  ])('of a health check may be any name or missing: %s', (name, status) => {
    expect(statusOf({ method: 'GET', target: '/health/live', headers: { host: name } })).toBe(
      status,
    );
  });

  test('that a health check has sent is not accepted for the graph', () => {
    const guards = startGuards();
    const headers = { host: 'other.example' };

    expect(guards({ method: 'GET', target: '/health/live', headers }).status).toBe('passed');
    expect(guards({ headers }).status).toBe(421);
  });
});

describe('a page', () => {
  test.each([
    [shop, 'passed'],
    [`http://${host}`, 'passed'],
    [`https://${host}`, 'passed'],
    [`https://${host}:4000`, 403],
    [`ftp://${host}`, 403],
    ['https://evil.example', 403],
    ['https://shop.example.evil', 403],
    ['null', 403],
    ['', 403],
  ])('of the origin %s', (origin, status) => {
    expect(withHeaders({ origin })).toBe(status);
    expect(withHeaders({ origin, host: host.toUpperCase() })).toBe(status);
  });

  test('of any origin may check the health', () => {
    const headers = { origin: 'https://evil.example', host: undefined };

    expect(statusOf({ method: 'GET', target: '/health/live', headers })).toBe('passed');
  });

  test.each([
    [
      shop,
      {
        'access-control-allow-origin': shop,
        vary: 'origin',
        'access-control-expose-headers':
          'x-request-id, retry-after, content-disposition, x-list-complete, x-list-next-step, www-authenticate',
      },
    ],
    [`https://${host}`, {}],
    ['https://evil.example', {}],
    [undefined, {}],
  ])('of a listed origin alone may read responses: %s', (origin, expected) => {
    for (const method of ['POST', 'PUT']) {
      const { headers } = send({ method, headers: { origin } });
      const cors = Object.entries(headers).filter(([name]) => /^(vary|access-)/.test(name));

      expect(Object.fromEntries(cors)).toEqual(expected);
    }
  });

  const preflight = (headers: Sent['headers'], target = '/graphql') =>
    send({
      method: 'OPTIONS',
      target,
      headers: { 'access-control-request-method': 'POST', ...headers },
    });

  test('of a listed origin may send every header of the API', () => {
    const { status, headers, request } = preflight({ origin: shop });

    expect(status).toBe(204);
    expect(request.response.writableEnded).toBe(true);
    expect(headers).toMatchObject({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers':
        'content-type, authorization, x-api-key, x-account-token, idempotency-key, x-request-id, x-requested-with, apollo-require-preflight, traceparent, tracestate',
      'access-control-max-age': '600',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each<[string, Sent['headers'], string, number]>([
    ['of another origin', { origin: 'https://evil.example' }, '/graphql', 403],
    ['of its own origin', { origin: `https://${host}` }, '/graphql', 405],
    ['without an origin', {}, '/graphql', 405],
    [
      'without a method',
      { origin: shop, 'access-control-request-method': undefined },
      '/graphql',
      405,
    ],
    ['of another path', { origin: shop }, '/', 405],
  ])('%s gets no preflight response', (_what, headers, target, status) => {
    expect(preflight(headers, target).status).toBe(status);
  });

  test('gets a preflight response for OPTIONS only', () => {
    const headers = { origin: shop, 'access-control-request-method': 'POST' };

    expect(withHeaders(headers)).toBe('passed');
  });
});

describe('a request that a browser sends for another site', () => {
  const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' };

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 'passed'],
    ['none', 'passed'],
  ])('is refused at the graph without an Origin: %s', (site, status) => {
    expect(withHeaders({ 'sec-fetch-site': site })).toBe(status);
    expect(withHeaders({ 'sec-fetch-site': site, origin: shop })).toBe('passed');
    expect(statusOf(get({ 'sec-fetch-site': site }, '/'))).toBe('passed');
  });

  test.each<[Record<string, string>, boolean, number | string]>([
    [navigation, true, 'passed'],
    [navigation, false, 403],
    [{ ...navigation, accept: 'image/*' }, true, 403],
    [{ 'sec-fetch-mode': 'navigate' }, true, 403],
    [{ ...navigation, 'sec-fetch-mode': 'no-cors' }, true, 403],
  ])('may open GraphiQL only: %j, in development %s', (headers, development, status) => {
    expect(statusOf(get({ ...headers, 'sec-fetch-site': 'cross-site' }), { development })).toBe(
      status,
    );
  });
});

test.each([
  [4_096, 'passed'],
  [4_097, 503],
])(
  'of %i open requests the gateway accepts 4,096, and every health check',
  async (openRequests, status) => {
    const { status: found, headers, sent } = send({}, { openRequests });

    expect(found).toBe(status);
    if (status !== 'passed') {
      expect(headers['retry-after']).toBe('1');
      expect(await sent()).toContain('"code":"OVERLOADED","category":"LIMIT","retryable":true');
    }
    expect(statusOf(get({}, '/health/live'), { openRequests })).toBe('passed');
    expect(statusOf({ ...get({}, '/health'), headers: {} }, { openRequests })).toBe(status);
  },
);

test.each<[string, string, boolean, number | string, string | undefined]>([
  ['POST', '/graphql', false, 'passed', undefined],
  ['PUT', '/graphql', false, 405, 'GET, POST'],
  ['HEAD', '/graphql', false, 405, 'GET, POST'],
  ['HEAD', '/graphql', true, 'passed', undefined],
  ['DELETE', '/graphql', true, 405, 'GET, POST, HEAD'],
  ['GET', '/', false, 'passed', undefined],
  ['HEAD', '/', false, 'passed', undefined],
  ['POST', '/', false, 405, 'GET, HEAD'],
  ['PUT', '/unknown', false, 'passed', undefined],
])('%s %s has its methods, in development %s: %s', (method, target, development, status, allow) => {
  const found = send(
    { method, target, headers: method === 'HEAD' ? { accept: 'application/json' } : {} },
    { development },
  );

  expect(found.status).toBe(status);
  expect(found.headers.allow).toBe(allow);
});

describe('a GET of the graph', () => {
  test.each<[Record<string, string>, number | string]>([
    [{ accept: 'application/json' }, 'passed'],
    [{ accept: 'text/html, APPLICATION/graphql-response+json' }, 'passed'],
    [{ accept: 'text/event-stream' }, 'passed'],
    [{ accept: 'multipart/mixed' }, 'passed'],
    [{ accept: '*/*' }, 400],
    [{ accept: 'application/xml' }, 400],
    [{}, 400],
    [{ 'x-requested-with': 'x' }, 'passed'],
    [{ 'apollo-require-preflight': '' }, 'passed'],
    [{ 'sec-fetch-mode': 'cors' }, 'passed'],
    [{ 'sec-fetch-mode': 'no-cors' }, 400],
    [{ accept: 'text/html' }, 400],
  ])('needs a header that no page of another site can send: %j', (headers, status) => {
    expect(statusOf(get(headers))).toBe(status);
    expect(statusOf({ ...get(headers), method: 'HEAD' }, { development: true })).toBe(
      headers.accept === 'text/html' ? 'passed' : status,
    );
    expect(statusOf(get(headers, '/'))).toBe('passed');
  });

  test('opens GraphiQL in development', () => {
    expect(statusOf(get({ accept: 'text/html' }), { development: true })).toBe('passed');
    expect(statusOf(get({ accept: 'text/htmlx' }), { development: true })).toBe(400);
  });
});

describe('a body', () => {
  test.each<[Sent['headers'], number | string]>([
    [{ 'transfer-encoding': 'chunked', 'content-length': undefined }, 'passed'],
    [{ 'transfer-encoding': 'CHUNKED', 'content-length': undefined }, 'passed'],
    [{ 'transfer-encoding': 'gzip, chunked', 'content-length': undefined }, 400],
    [{ 'content-length': '100' }, 'passed'],
    [{ 'content-length': '101' }, 413],
    [{ 'content-length': undefined }, 'passed'],
  ])('is whole or in chunks, and at most as long as the limit: %j', (headers, status) => {
    expect(withHeaders(headers)).toBe(status);
  });

  test.each([
    [{ 'content-length': '1' }, 400],
    [{ 'transfer-encoding': 'chunked' }, 400],
    [{ 'content-length': '0' }, 'passed'],
  ])('is refused with a GET: %j', (headers, status) => {
    expect(statusOf(get(headers, '/'))).toBe(status);
  });

  test.each<[string | undefined, number | string]>([
    ['application/json', 'passed'],
    ['application/json;charset=utf-8', 'passed'],
    ['application/json ; x=y; Charset = "UTF8"', 'passed'],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json;  charset=latin1', 415],
    ['application/json; charset = latin1', 415],
    ['application/json; charset=xutf-8', 415],
    ['application/json; charset=utf-80', 415],
    ['application/json; charset=', 415],
    ['application/jsonx', 415],
    ['text/application/json', 415],
    ['text/plain', 415],
    [undefined, 415],
  ])('is JSON in UTF-8: %s', (type, status) => {
    const { status: found, headers } = send({ headers: { 'content-type': type } });

    expect(found).toBe(status);
    expect(headers.accept).toBe(status === 'passed' ? undefined : 'application/json');
  });

  test('is not encoded', () => {
    expect(withHeaders({ 'content-encoding': 'gzip' })).toBe(415);
    expect(withHeaders({ 'content-encoding': '' })).toBe('passed');
  });

  test.each<[string | undefined, number | string, boolean]>([
    ['100-continue', 'passed', true],
    ['100-Continue', 'passed', true],
    [undefined, 'passed', false],
    ['nonsense', 417, false],
  ])(
    'is awaited with 100 Continue when the client expects that: %s',
    async (expect_, status, continues) => {
      const { status: found, sent } = send({ headers: { expect: expect_ } });

      expect(found).toBe(status);
      expect((await sent()).startsWith('HTTP/1.1 100 Continue')).toBe(continues);
    },
  );

  test('that will be refused is not awaited', async () => {
    const { sent } = send({ headers: { expect: '100-continue', 'content-length': '101' } });

    expect(await sent()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('a refusal', () => {
  test.each<[string, Record<string, string>]>([
    ['of a page', { origin: 'https://evil.example' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s has the code FORBIDDEN', async (_what, headers) => {
    expect(await send({ headers }).sent()).toContain('"code":"FORBIDDEN"');
  });

  test('has a JSON body with its code and request id', async () => {
    const { sent, headers } = send({ method: 'PUT', headers: {} });
    const [, body = ''] = (await sent()).split('\r\n\r\n');

    expect(JSON.parse(body)).toEqual({
      errors: [
        {
          message: 'This path accepts GET, POST only.',
          extensions: {
            code: 'INVALID_REQUEST',
            category: 'INPUT',
            retryable: false,
            executed: 'NO',
            requestId: 'request-1',
          },
        },
      ],
    });
    expect(headers).toMatchObject({
      ...{ 'x-request-id': 'request-1', 'content-type': 'application/json; charset=utf-8' },
      ...{ 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' },
    });
    expect(headers).not.toHaveProperty('connection');
  });

  test.each<[Sent['headers'], 'close' | undefined]>([
    [{ 'content-length': '1048576' }, undefined],
    [{ 'content-length': '1048577' }, 'close'],
    [{ 'content-length': undefined, 'transfer-encoding': 'chunked' }, 'close'],
    [{ expect: '100-continue' }, 'close'],
  ])('closes the connection unless the end of the body is near: %j', async (sent, connection) => {
    const { request, headers } = send({ headers: { host: 'other.example', ...sent } });

    expect(headers.connection).toBe(connection);
    await responseEnd(request);
  });
});
