import { closeSync, openSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { readConfig } from '../../../app/read-config.ts';
import { changeByFile, plan } from './change-domains.ts';

const folder = await newFolder('change-domains');
afterAll(() => rm(folder, { recursive: true }));

/** The sentence with which a command refuses a file. */
async function refusal(
  command: typeof plan,
  content: string | Uint8Array,
  url = 'http://127.0.0.1:1',
): Promise<string> {
  const file = join(folder, 'file');
  await writeFile(file, content);
  const fd = openSync(file, 'r');
  try {
    return await command(readConfig({ GATEWAY_URL: url }), fd);
  } catch (error) {
    return (error as Error).message;
  } finally {
    closeSync(fd);
  }
}

test.each([
  [
    'a quote that is never closed',
    'domain,nameServers\na.com,"ns1.csv.net\n',
    'Line 2: a quote of this row is never closed. Nothing was changed.',
  ],
  [
    'another column',
    'domain,hosts\na.com,ns1.csv.net\n',
    expect.stringContaining('"hosts" is no column; the columns are domain, nameServers.'),
  ],
  ['no domain', 'domain,nameServers\n', 'The file has no domain.'],
])('change refuses a file with %s', async (_what, text, sentence) => {
  expect(await refusal(changeByFile, text)).toEqual(sentence);
});

test.each([
  [
    'too many bytes',
    new Uint8Array(5_000_001),
    'The file has 5000001 bytes; a file of desired domains has at most 5000000.',
  ],
  ['an alias', 'domains: &a [*a]', expect.stringContaining('it has an alias')],
  [
    'another encoding',
    new Uint8Array([0xc3, 0x28]),
    'The text is neither UTF-8 nor UTF-16; save it as UTF-8.',
  ],
])('plan refuses a file with %s', async (_what, content, sentence) => {
  expect(await refusal(plan, content)).toEqual(sentence);
});

test('a gateway that is not there, or no address of one, is reported in one sentence', async () => {
  const desired = 'domains: [{ match: "*", privacyProtected: true }]';

  expect(await refusal(plan, desired)).toMatch(/^The gateway at .* cannot be reached.*\.$/);
  expect(await refusal(plan, desired, 'graph.example')).toContain(
    'GATEWAY_URL must be an http or https URL',
  );
});
