import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { configOf } from '../../../test/support/own-config.ts';
import { mcpSettings } from './settings.ts';

const key = 'sixteen-characters-and-more';

test('a key has no effect with open access', () => {
  const warnings = ({ warnings }: ReturnType<typeof configOf>) =>
    warnings.filter((sentence) => sentence.includes('MCP_KEY'));

  expect(warnings(configOf({ MCP_KEY: key }))).toEqual([
    'MCP_KEY has no effect while AUTH is open.',
  ]);
  expect(warnings(configOf({ API_KEY: key, MCP_KEY: key }))).toEqual([]);
});

test('the key can be in a file', async () => {
  const folder = await newFolder('mcp-key');
  const file = join(folder, 'key');
  await writeFile(file, `${key}\n`);
  const { MCP_KEY } = mcpSettings.of(configOf({ MCP_KEY_FILE: file }));
  await rm(folder, { recursive: true });

  expect(MCP_KEY?.reveal()).toBe(key);
});
