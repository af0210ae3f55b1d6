import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { sendRaw } from '../../../../test/support/raw-request.ts';
import {
  type AuthorizationServer,
  issuersOf,
  startAuthorizationServer,
  TestProvider,
} from './authorization-server.ts';
import { httpClients } from './clients.ts';

const metadataPath = '/.well-known/oauth-protected-resource/mcp';
const page = 'https://shop.example';
const readScopes = ['domains:check', 'domains:read', 'account:read', 'events:read'];

let server: AuthorizationServer;
let gateway: TestGateway;

beforeAll(async () => {
  server = await startAuthorizationServer();
  gateway = await startTestGateway({
    sandboxDomains: 5,
    accountToken: null,
    env: {
      JWT_ISSUERS: issuersOf(
        server,
        server.issuer,
        'https://login.example/',
        'urn:login',
        'http://a.example',
      ),
      API_KEYS: apiKeysOf({ shop: ['domains:check'] }),
      ALLOWED_HOSTS: '127.0.0.1,graph.example',
      CORS_ORIGINS: page,
      MCP_WRITES: 'true',
    },
  });
});
beforeEach(() => {
  server.authorizations.length = 0;
  server.grants.clear();
});
afterAll(async () => {
  await gateway?.close();
  server?.close();
});

const grant = (...scopes: readonly string[]) => {
  for (const scope of scopes) server.grants.add(scope);
};

describe.each(httpClients)('a client of %s that knows only the address', (_name, connect) => {
  /** Signs in as the client requested; `run` fails before and works afterwards. */
  async function afterSignIn<T>(provider: TestProvider, run: () => Promise<T>) {
    await expect(run()).rejects.toThrow('Unauthorized');
    const address = new URL(`${gateway.url}/mcp`);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: provider });
    await transport.finishAuth(provider.callback);
    return run();
  }

  test('signs in, lists tools and calls one', async () => {
    grant(...readScopes);
    const provider = new TestProvider();
    const client = await afterSignIn(provider, () => connect(gateway.url, {}, provider));
    const names = (await client.list()).map(({ name }) => name);
    const { data } = await client.call('check_names', { names: ['reseller-demo.com'] });
    await client.close();

    expect(server.authorizations).toMatchObject([
      { resource: `${gateway.url}/mcp`, scope: readScopes.join(' ') },
    ]);
    expect(names).toContain('portfolio_summary');
    expect(names).not.toContain('buy');
    expect(data.availabilities).toMatchObject([{ state: 'TAKEN' }]);
  });

  test('requests the scopes of a tool that its token does not have', { tags: ['M1'] }, async () => {
    grant('domains:check');
    const provider = new TestProvider();
    const client = await afterSignIn(provider, () => connect(gateway.url, {}, provider));
    grant('domains:read');
    await gateway.resetCalls();
    const call = () => client.call('domain', { name: 'reseller-demo.com' });
    const { data } = await afterSignIn(provider, call);
    await client.close();

    expect(server.authorizations[1]?.scope?.split(' ')).toEqual(
      expect.arrayContaining(['domains:check', 'domains:read']),
    );
    expect(data.domain).toMatchObject({ name: 'reseller-demo.com' });
    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  });
});

const metadataUrl = () => `${gateway.url}${metadataPath}`;

describe('a refused message', () => {
  const send = (headers: Record<string, string>, name = 'check_names', args: object = {}) =>
    sendRaw(gateway.url, {
      path: '/mcp',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } },
      }),
    });
  const withToken = async (claims: JWTPayload) => ({
    authorization: `Bearer ${await server.sign({ aud: server.audience, ...claims })}`,
  });
  const seconds = () => Math.floor(Date.now() / 1000);
  const signIn = () => `scope="${readScopes.join(' ')}", resource_metadata="${metadataUrl()}"`;

  test.each([
    ['without credentials', {}],
    ['with an unknown key', by('unknown-key')],
  ])('%s leads to the metadata', async (_what, headers) => {
    const { status, headers: sent } = await send(headers);

    expect(status).toBe('401 Unauthorized');
    expect(sent['www-authenticate']).toBe(`Bearer ${signIn()}, ApiKey`);
  });

  test.each<[string, () => JWTPayload, string]>([
    ['that has expired', () => ({ exp: seconds() - 60 }), 'This token has expired.'],
    ['of another audience', () => ({ aud: 'https://else.example' }), "('aud')"],
    ['without an audience', () => ({ aud: undefined as never }), "('aud')"],
  ])('with a token %s says so and leads to the metadata', async (_what, claims, sentence) => {
    const { status, headers, body } = await send(await withToken(claims()));

    expect(status).toBe('401 Unauthorized');
    expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_descr/);
    expect(headers['www-authenticate']).toContain(sentence);
    expect(headers['www-authenticate']).toContain(`, ${signIn()}, ApiKey`);
    expect(JSON.parse(body).error).toMatchObject({ code: 401, data: { code: 'UNAUTHENTICATED' } });
  });

  test.each([
    ['portfolio_summary', 'domains:check', 'domains:read'],
    ['purchases', 'domains:check', 'domains:spend'],
    ['quote_purchase', 'domains:read', 'domains:spend'],
    ['gateway', '', 'domains:check'],
  ])('of a token that calls %s with "%s" names the scopes', async (name, scope, needed) => {
    await gateway.resetCalls();
    const { status, headers, body } = await send(await withToken({ scope }), name);
    const { id, error } = JSON.parse(body);

    expect(status).toBe('403 Forbidden');
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", error_description="${error.message.replaceAll('"', "'")}", scope="${needed}", resource_metadata="${metadataUrl()}"`,
    );
    expect([id, error]).toMatchObject([
      7,
      { code: 403, data: { code: 'FORBIDDEN', executed: 'NO', retryable: false } },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('of a key that cannot get more scopes is a result of the tool', async () => {
    const { status, body } = await send(by('shop'), 'portfolio_summary');

    expect(status).toBe('200 OK');
    expect(body).toContain('FORBIDDEN');
    expect(body).toContain('"isError":true');
  });

  test.each(['no_such_tool', ''])('of a token that calls %j is an unknown tool', async (name) => {
    const { body } = await send(await withToken({}), name);

    expect(body).toContain('This tool does not exist.');
  });
});

describe('the metadata', () => {
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    sendRaw(gateway.url, { path: metadataPath, method, headers, body: '' });
  const resourceFor = async (host: string) => JSON.parse((await get({ host })).body).resource;

  test('has the issuers with an address, and the scopes that a client requests first', async () => {
    const { headers, body } = await get();

    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({
      resource: `${gateway.url}/mcp`,
      resource_name: 'reseller-graph',
      authorization_servers: [server.issuer, 'https://login.example/'],
      scopes_supported: readScopes,
      bearer_methods_supported: ['header'],
    });
  });

  test('has the address by which the client knows the gateway', async () => {
    expect(await resourceFor('graph.example')).toBe('https://graph.example/mcp');
    expect(await resourceFor('Graph.Example:8443')).toBe('https://graph.example:8443/mcp');
    const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const { body } = await get({ ...forwarded, host: 'graph.example' });
    expect(JSON.parse(body).resource).toBe('https://graph.example/mcp');
    expect((await get({ host: 'evil.example' })).status).toBe('421 Misdirected Request');
  });

  test('can be read by a page of a listed origin, and by no other page', async () => {
    const preflight = {
      ...{ origin: page, 'access-control-request-method': 'GET' },
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const allowed = await get(preflight, 'OPTIONS');

    expect(allowed.status).toBe('204 No Content');
    expect(allowed.headers['access-control-allow-headers']).toContain('mcp-protocol-version');
    expect((await get({ origin: page })).headers['access-control-allow-origin']).toBe(page);
    expect((await get({ origin: 'https://evil.example' })).status).toBe('403 Forbidden');
  });

  test.each<[string, () => Record<string, string>, string]>([
    ['without an issuer', () => ({ API_KEYS: apiKeysOf({ shop: [] }) }), 'ApiKey'],
    [
      'without an issuer that has an address',
      () => ({ JWT_ISSUERS: issuersOf(server, 'urn:login') }),
      'Bearer, ApiKey',
    ],
  ])('does not exist %s', async (_what, env, challenge) => {
    const other = await startTestGateway({ sandboxDomains: 5, env: env() });
    const { status } = await fetch(`${other.url}${metadataPath}`);
    const refused = await fetch(`${other.url}/mcp`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    });
    await other.close();

    expect([status, refused.status]).toEqual([404, 401]);
    expect(refused.headers.get('www-authenticate')).toBe(challenge);
  });

  test('does not exist without tools', async () => {
    const env = { MCP: 'false', JWT_ISSUERS: issuersOf(server, server.issuer) };
    const other = await startTestGateway({ sandboxDomains: 5, env });
    const { status } = await fetch(`${other.url}${metadataPath}`);
    await other.close();

    expect(status).toBe(404);
  });
});
