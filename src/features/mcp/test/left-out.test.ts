import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { runCommand } from '../../../../test/support/process.ts';
import { selectSettings } from '../../../app/read-config.ts';
import { features } from '../../index.ts';
import { postMessage } from './clients.ts';

const folder = await newFolder('mcp-left-out');
afterAll(() => rm(folder, { recursive: true }));

test('a gateway without tools has no path of them', async () => {
  const left = await startTestGateway({ env: { FEATURES: '-mcp' } });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${left.url}/mcp`, { method: 'POST', headers, body: '{}' });
  const { data } = await left.query('{ gateway { version } }');
  await left.close();
  const whole = await startTestGateway();
  const { result } = await postMessage(whole.url, 'tools/list', {});
  await whole.close();

  expect(response.status).toBe(404);
  expect(data.gateway.version).toEqual(expect.any(String));
  expect(result.tools.length).toBeGreaterThan(5);
});

test('the command and a setting of it are refused in one sentence', async () => {
  const env = { FEATURES: '-mcp', DATA_DIR: join(folder, 'data'), SANDBOX_PORT: '0' };
  const { exitCode, stdout, stderr } = await runCommand('src/cli/feature', env, ['mcp']);

  expect({ exitCode, stdout, stderr }).toEqual({
    ...{ exitCode: 1, stdout: '' },
    stderr: 'mcp: This command belongs to the feature mcp, which FEATURES leaves out.\n',
  });
  expect(selectSettings(features, { FEATURES: '-mcp', MCP_WRITES: 'true' }).errors).toEqual([
    'MCP_WRITES is a setting of the feature mcp, which FEATURES leaves out: remove the setting, or add the feature.',
  ]);
});
