import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { whyNotShort } from '../support/long.ts';
import { because } from '../support/skipped.ts';

// The official conformance tests of MCP. They have many packages, so they have a folder of their own. All other scenarios
// call tools, prompts and resources that only a server made for them has, or need sessions, which are optional.
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

const folder = join(import.meta.dirname, 'conformance');
const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const why = whyNotShort ?? (existsSync(program) ? null : 'run "npm ci" in test/mcp/conformance');

describe.skipIf(why)(`a conformance test of MCP passes${because(why)}`, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.close());

  test.each(scenarios)('%s', async (scenario) => {
    const options = ['server', '--url', `${gateway.url}/mcp`, '--scenario', scenario];
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...options]);

    expect(stdout).toMatch(/Passed: (\d)\/\1, 0 failed, 0 warnings/);
  });
});
