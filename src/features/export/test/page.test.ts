import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { apiKeysOf, keyOf } from '../../../../test/access/keys.ts';
import { blocksOf, plain, readText } from '../../../../test/docs/markdown.ts';
import { parseCsv } from '../../../../test/support/csv.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { exportFiles } from '../files.ts';
import { download } from './downloads.ts';

const file = 'docs/export.md';
const run = promisify(execFile);

const gateway = await startTestGateway({
  sandboxDomains: 20,
  env: { API_KEYS: apiKeysOf({ office: ['domains:read', 'domains:check', 'ops'] }) },
});
afterAll(() => gateway.close());
const headers = { 'x-api-key': keyOf('office') };

/** The rows of the tables whose first cell begins with this. */
const rowsWith = (start: string) =>
  readText(file)
    .split('\n')
    .filter((line) => line.startsWith(`| ${start}`))
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));

describe('docs/export.md', () => {
  test('has every path with its scopes', () => {
    const shown = rowsWith('`/export/').flatMap(([paths = '', needed = '']) =>
      paths.split(', ').map((path) => [plain(path), plain(needed).split(' or ')]),
    );

    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        Object.entries(exportFiles).map(([name, { needed }]) => [`/export/${name}`, needed]),
      ),
    );
  });

  test.each(['domains', 'purchases', 'statement', 'prices'])(
    'has the columns of %s',
    async (name) => {
      const [[, columns = ''] = []] = rowsWith(`\`${name}\` |`);
      const [names] = parseCsv((await download(gateway, `${name}.csv`, { headers })).text);

      expect(plain(columns).split(', ')).toEqual(names);
    },
  );

  test('has a command that stores the file, and fails without a key', async () => {
    const [block = ''] = blocksOf(file, 'sh');
    const command = block.replace('http://127.0.0.1:4000', gateway.url);
    const cwd = await mkdtemp(join(tmpdir(), 'export-command-'));
    const start = (KEY: string) =>
      run('sh', ['-ec', command], { cwd, env: { PATH: process.env.PATH, KEY } });

    await start(keyOf('office'));
    const stored = await readFile(join(cwd, 'domains.csv'), 'utf8');
    await rm(join(cwd, 'domains.csv'));
    await expect(start('an-unknown-key-of-this-gateway')).rejects.toMatchObject({ code: 22 });
    await rm(cwd, { recursive: true });

    expect(stored).toBe((await download(gateway, 'domains.csv', { headers })).text);
  });
});
