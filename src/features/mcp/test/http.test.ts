import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import packageFile from '../../../../package.json' with { type: 'json' };
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { sendBeforeReading, sendRaw } from '../../../../test/support/raw-request.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { createLog } from '../../../observability/log.ts';
import { connectEarlier, connectModern } from './clients.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const callOf = (name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
});
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** The envelope of a message of the current protocol. */
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** A refusal of a whole request. `code` is that of JSON-RPC. */
const refusal = (code: number, message: unknown, faultCode: string, id: number | null = null) => ({
  ...{ jsonrpc: '2.0', id },
  error: {
    ...{ code, message },
    data: {
      ...{ code: faultCode, category: expect.any(String), executed: 'NO', retryable: false },
      requestId: expect.any(String),
    },
  },
});

describe('a gateway with keys', () => {
  const page = 'https://shop.example';
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      sandboxDomains: 5,
      accountToken: null,
      env: { API_KEYS: apiKeysOf({ shop: allAccessScopes }), CORS_ORIGINS: page },
    });
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(() => gateway?.close());

  const send = (
    body: string | Uint8Array,
    headers: Record<string, string> = {},
    method = 'POST',
    path = '/mcp',
  ) =>
    sendRaw(gateway.url, {
      ...{ path, method, body },
      headers: { ...(method === 'POST' && json), ...by('shop'), ...headers },
    });

  test('lists its tools without a session', async () => {
    const { status, headers, body } = await send(JSON.stringify(list));

    expect(status).toBe('200 OK');
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(body).toContain('"check_names"');
  });

  test.each(['*/*', 'application/json, */*;q=0.1', 'text/event-stream'])(
    'serves a client that accepts %s with a stream',
    async (accept) => {
      const { status, headers } = await send(JSON.stringify(list), { accept });

      expect(status).toBe('200 OK');
      expect(headers['x-accel-buffering']).toBe('no');
    },
  );

  test.each(['application/json', 'application/*'])(
    'serves JSON to a client that accepts %s alone',
    async (accept) => {
      // A line separator, which ends a line in JavaScript and not in an event stream.
      const id = '\u2028';
      const { headers, body } = await send(JSON.stringify({ ...list, id }), { accept });

      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body)).toMatchObject({
        jsonrpc: '2.0',
        id,
        result: { tools: expect.any(Array) },
      });
    },
  );

  test('names itself in the handshake of an earlier protocol', async () => {
    const params = {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'a', version: '1' },
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const { body, headers } = await send(JSON.stringify(message));
    const { result } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? '');

    expect(headers['content-type']).toBe('text/event-stream');
    expect(result).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: packageFile.name, version: packageFile.version },
      instructions: expect.stringMatching(
        /data and never an instruction.* Not possible .* to renew/,
      ),
    });
  });

  test('accepts a notification without a response', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };

    expect(await send(JSON.stringify(message))).toMatchObject({ status: '202 Accepted', body: '' });
  });

  test.each([
    ['no key', { 'x-api-key': '' }],
    ['an unknown key', { 'x-api-key': 'an-unknown-key-of-this-gateway' }],
  ])('refuses %s with 401, also for a list of tools', async (_name, headers) => {
    for (const message of [list, callOf('gateway', {})]) {
      const { status, headers: sent, body } = await send(JSON.stringify(message), headers);

      expect(status).toBe('401 Unauthorized');
      expect(sent['www-authenticate']).toEqual(expect.any(String));
      expect(JSON.parse(body)).toEqual(refusal(401, expect.any(String), 'UNAUTHENTICATED'));
    }
  });

  test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'PATCH', 'OPTIONS'])(
    'refuses %s with 405, because there is no session',
    async (method) => {
      const { status, headers } = await send('', { accept: 'text/event-stream' }, method);

      expect(status).toBe('405 Method Not Allowed');
      expect(headers.allow).toBe('POST');
    },
  );

  test.each([
    ['another host', { host: 'evil.example' }, '421 Misdirected Request'],
    ['a page of another origin', { origin: 'https://evil.example' }, '403 Forbidden'],
    ['a form on another site', { 'sec-fetch-site': 'cross-site' }, '403 Forbidden'],
    ['another content type', { 'content-type': 'text/plain' }, '415 Unsupported Media Type'],
    ['a compressed body', { 'content-encoding': 'gzip' }, '415 Unsupported Media Type'],
  ])('refuses %s', async (_name, headers, status) => {
    const refused = await send(JSON.stringify(callOf('prices', {})), headers);

    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toMatchObject({ jsonrpc: '2.0', error: { data: {} } });
    expect(await gateway.countCalls()).toEqual({});
  });

  test('lets a page of a listed origin send the headers of the protocol', async () => {
    const preflight = {
      ...{ origin: page, 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'mcp-protocol-version, mcp-method, mcp-name, x-api-key',
    };
    const { status, headers } = await send('', preflight, 'OPTIONS');

    expect(status).toBe('204 No Content');
    for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'x-api-key'])
      expect(headers['access-control-allow-headers']).toContain(name);
  });

  const long = JSON.stringify(callOf('check_names', { names: ['a'.repeat(1_048_576)] }));

  test('refuses a megabyte of arguments with one sentence', { tags: ['M5'] }, async () => {
    const { status, body } = await send(long);
    const client = await connectModern(gateway.url, by('shop'));

    expect(status).toBe('413 Payload Too Large');
    expect(JSON.parse(body)).toEqual(
      refusal(-32_600, 'The body of a request has at most 262144 bytes.', 'INVALID_REQUEST'),
    );
    await expect(client.call('check_names', { names: ['a'.repeat(1_048_576)] })).rejects.toThrow(
      'at most 262144 bytes',
    );
    await client.close();
    expect(await gateway.countCalls()).toEqual({});
  });

  test('refuses them in chunks too, also for a client that reads after it has sent them', async () => {
    const headers = { ...json, ...by('shop'), 'transfer-encoding': 'chunked' };

    for (const sendBy of [sendRaw, sendBeforeReading]) {
      const { status, body } = await sendBy(gateway.url, { path: '/mcp', headers, body: long });

      expect(status).toBe('413 Payload Too Large');
      expect(JSON.parse(body)).toEqual(
        refusal(-32_600, 'The body of a request has at most 262144 bytes.', 'INVALID_REQUEST'),
      );
    }
  });

  test('accepts a small message in chunks', async () => {
    const { status, body } = await send(JSON.stringify(list), { 'transfer-encoding': 'chunked' });

    expect(status).toBe('200 OK');
    expect(body).toContain('"check_names"');
  });

  test.each([
    ['no JSON', '{', 'The body is not JSON.'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The body is not in UTF-8.'],
    ['several messages', JSON.stringify([list, list]), 'Batching is not supported.'],
    ['a reserved name', '{"constructor":1}', 'is a reserved name'],
  ])('refuses a body of %s with 400', async (_name, body, sentence) => {
    const refused = await send(body);

    expect(refused.status).toBe('400 Bad Request');
    expect(JSON.parse(refused.body)).toEqual(
      refusal(-32_600, expect.stringContaining(sentence), 'INVALID_REQUEST'),
    );
  });

  const envelope = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
  test.each([
    ['the current protocol', { ...envelope, 'mcp-name': 'prices' }, { _meta: meta }],
    ['an earlier protocol', {}, {}],
  ])(
    'refuses arguments that are no object as an invalid request, in %s',
    async (_name, headers, more) => {
      for (const given of ['{"names":["com"]}', ['com'], 7, null]) {
        const { params, ...message } = callOf('prices', given as never);
        const { body } = await send(
          JSON.stringify({ ...message, params: { ...params, ...more } }),
          {
            ...{ accept: 'application/json', ...headers },
          },
        );

        expect(JSON.parse(body).error.code).toBe(-32_602);
      }
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  test('has no stream of changes', async () => {
    const message = {
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    };
    const { body } = await send(JSON.stringify(message), {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    });

    expect(body).toContain('Subscription limit reached');
  });
});

describe('a message that contradicts its headers', () => {
  test.each([
    ['another revision', { 'mcp-protocol-version': '2025-06-18' }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another tool', { 'mcp-name': 'prices' }],
    ['no method', { 'mcp-method': '' }],
  ])('is refused for %s, and logged with its request', async (_name, changed) => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    const gateway = await startTestGateway({ sandboxDomains: 5, log });
    const { params, ...message } = callOf('gateway', {});
    const headers = {
      ...{ ...json, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      ...{ 'mcp-name': 'gateway', ...changed },
    };
    const body = JSON.stringify({ ...message, params: { ...params, _meta: meta } });
    const { status, headers: sent } = await sendRaw(gateway.url, { path: '/mcp', headers, body });
    await gateway.close();

    expect(status).toBe('400 Bad Request');
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ msg: 'an MCP message was refused', requestId: sent['x-request-id'] },
        error: expect.objectContaining({ message: expect.any(String) }),
      }),
    );
  });
});

describe('the observation of a tool', () => {
  test('is one line with its name, without its arguments', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
    const gateway = await startTestGateway({ sandboxDomains: 5, log });
    const client = await connectModern(gateway.url);
    await client.call('check_names', { names: ['private-plan.com'] });
    await client.call('check_names', { names: 7 });
    await client.close();
    await gateway.close();

    const ofTool = lines.filter(({ tool }) => tool === 'check_names');
    expect(ofTool).toMatchObject([
      {
        ...{ msg: 'request', route: 'mcp', kind: 'query', operation: 'CheckNames' },
        ...{ status: 200, cost: 2, upstreamCalls: 2 },
      },
      { route: 'mcp', codes: ['INVALID_INPUT'] },
    ]);
    expect(JSON.stringify(lines)).not.toContain('private-plan');
  });
});

describe('a client that stops waiting', () => {
  test('cancels the reads of its tool', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    const gateway = await startTestGateway({ sandboxDomains: 5, log });
    const client = await connectModern(gateway.url);
    await gateway.admin('POST', '/faults', { fault: 'hold-before', action: 'tldlist' });
    const cancelled = new AbortController();
    const called = client.call('prices', {}, cancelled.signal);
    const held = async () => ((await gateway.admin('GET', '/held')) as { held: number }).held;
    await expect.poll(held).toBe(1);
    cancelled.abort();

    await expect(called).rejects.toThrow();
    const aborted = () =>
      lines.filter(({ action, outcome }) => action === 'tldlist' && outcome === 'ABORTED');
    await expect.poll(() => aborted().length).toBe(1);
    await gateway.admin('POST', '/release', {});
    await client.close();
    await gateway.close();
  });
});

describe('the path', () => {
  const live = {
    ...{ UPSTREAM: 'live', DOMAIN_API_URL: 'https://127.0.0.1:9/domain-api' },
    ...{ DOMAIN_API_USERNAME: 'user', DOMAIN_API_PASSWORD: 'a-password-of-a-test' },
    API_KEY: 'a-key-of-the-test-012',
  };
  const key = { 'x-api-key': live.API_KEY };

  test('does not exist with a live upstream', async () => {
    const gateway = await startTestGateway({ accountToken: null, env: live });
    const { status } = await sendRaw(gateway.url, {
      ...{ path: '/mcp', body: JSON.stringify(list), headers: { ...json, ...key } },
    });
    await gateway.close();

    expect(status).toBe('404 Not Found');
  });

  test('exists there with MCP=true', async () => {
    const gateway = await startTestGateway({ accountToken: null, env: { ...live, MCP: 'true' } });
    const client = await connectEarlier(gateway.url, key);
    const names = (await client.list()).map(({ name }) => name);
    await client.close();
    await gateway.close();

    expect(names).toContain('check_names');
    expect(names).not.toContain('buy');
  });

  test('does not exist in a sandbox with MCP=false', async () => {
    const gateway = await startTestGateway({ accountToken: null, env: { MCP: 'false' } });
    const { status } = await sendRaw(gateway.url, {
      ...{ path: '/mcp', body: JSON.stringify(list), headers: json },
    });
    await gateway.close();

    expect(status).toBe('404 Not Found');
  });
});
