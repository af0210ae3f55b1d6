import { mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { runCommand } from '../support/process.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await newFolder('damaged');
  file = join(folder, 'sandbox-journal.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

const makeJournal = async () => (await openSqliteJournal({ file })).close();
const longAgo = new Date('2026-01-01T00:00:00Z');

const journals: readonly (readonly [string, () => Promise<unknown>, string])[] = [
  [
    'text',
    () => writeFile(file, 'This is no database. '.repeat(99)),
    'it is damaged (file is not a database); restore a backup.',
  ],
  [
    'zeros',
    () => writeFile(file, Buffer.alloc(8_192)),
    'it is damaged (file is not a database); restore a backup.',
  ],
  [
    'cut',
    () => makeJournal().then(() => truncate(file, 8_192)),
    'it is damaged (database disk image is malformed); restore a backup.',
  ],
  [
    'empty',
    () => writeFile(file, '').then(() => utimes(file, longAgo, longAgo)),
    'it is empty; restore a backup, or remove it to begin without purchases.',
  ],
  ['a directory', () => mkdir(file), 'it is a directory.'],
  [
    'beside a file that SQLite cannot open',
    () => makeJournal().then(() => mkdir(`${file}-wal`)),
    'unable to open database file; its folder may be read-only.',
  ],
  [
    'the database of another program',
    async () => new DatabaseSync(file).exec('create table notes (text)'),
    'it is the database of another program; restore a backup, or set another DATA_DIR.',
  ],
];

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['src/main', []],
  ['src/cli/purchases', ['status']],
  ['src/cli/purchases', ['backup', join(tmpdir(), `no-backup-${process.pid}`)]],
  ['src/cli/domains', ['import', new URL(import.meta.url).pathname]],
];

describe.each(commands)('%s %j', (command, args) => {
  const run = (dataDir: string) =>
    runCommand(
      command,
      { DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'silent' },
      args,
    );

  test.each(journals)(
    'ends with one sentence when the journal is %s',
    async (_what, make, reason) => {
      await make();

      const { exitCode, stderr } = await run(folder);

      expect([exitCode, stderr.trim().split('\n')]).toEqual([1, [expect.any(String)]]);
      expect(stderr).toContain(file);
      expect(stderr.endsWith(`: ${reason}\n`)).toBe(true);
    },
  );

  test.each([
    ['is a file', () => join(folder, 'data'), /: a part of its path is a file, not a folder\.\n$/],
    ['cannot be created', () => '/proc/none', /: ENOENT\b.*\n$|There is no journal at /],
  ])('ends with one sentence when DATA_DIR %s', async (_what, dataDirOf, reason) => {
    const dataDir = dataDirOf();
    await writeFile(join(folder, 'data'), '');

    const { exitCode, stderr } = await run(dataDir);

    expect([exitCode, stderr.trim().split('\n')]).toEqual([1, [expect.any(String)]]);
    expect(stderr).toContain(dataDir);
    expect(stderr).toMatch(reason);
  });
});
