import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { whyNotShort } from '../../../../test/support/long.ts';
import { because } from '../../../../test/support/skipped.ts';
import { issuersOf, startAuthorizationServer, TestProvider } from './authorization-server.ts';

// The official conformance tests of MCP. They have many packages, so they have a folder of their own. All other scenarios
// call tools, prompts and resources that only a server made for them has, or need sessions, which are optional.
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

const folder = join(import.meta.dirname, 'conformance');
const require = createRequire(join(folder, 'package.json'));
const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const why =
  whyNotShort ?? (existsSync(program) ? null : 'run "npm ci" in src/features/mcp/test/conformance');

/** A client of the SDK before, which has no types here. */
function createClient(url: string, options: { readonly authProvider?: TestProvider } = {}) {
  const { Client } = require('@modelcontextprotocol/sdk/client');
  const http = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
  return {
    client: new Client({ name: 'a-test', version: '1.0.0' }),
    transport: new http.StreamableHTTPClientTransport(new URL(`${url}/mcp`), options),
  };
}

describe.skipIf(why)(`MCP${because(why)}`, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.close());

  test.each(scenarios)('the conformance test %s passes', async (scenario) => {
    const options = ['server', '--url', `${gateway.url}/mcp`, '--scenario', scenario];
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...options]);

    expect(stdout).toMatch(/Passed: (\d)\/\1, 0 failed, 0 warnings/);
  });

  test('a client of the SDK before signs in by the address alone', async () => {
    const { UnauthorizedError } = require('@modelcontextprotocol/sdk/client/auth.js');
    const server = await startAuthorizationServer();
    server.grants.add('domains:check');
    const env = { JWT_ISSUERS: issuersOf(server, server.issuer) };
    const other = await startTestGateway({ sandboxDomains: 5, accountToken: null, env });
    const authProvider = new TestProvider();
    const { client, transport } = createClient(other.url, { authProvider });
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
    await transport.finishAuth(authProvider.callback.get('code'));
    const signedIn = createClient(other.url, { authProvider });
    await signedIn.client.connect(signedIn.transport);
    const { tools } = await signedIn.client.listTools();
    await signedIn.client.close();
    await other.close();
    server.close();

    expect(tools.map(({ name }: { name: string }) => name)).toContain('check_names');
  });

  test('a client of the SDK before lists the tools and calls one', async () => {
    const { client, transport } = createClient(gateway.url);
    await client.connect(transport);
    const { tools } = await client.listTools();
    const { content } = await client.callTool({
      ...{ name: 'check_names', arguments: { names: ['reseller-demo.com'] } },
    });
    await client.close();

    expect(tools.map(({ name }: { name: string }) => name)).toContain('check_names');
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('"TAKEN"') }]);
  });
});
