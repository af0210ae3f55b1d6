import { mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../../src/app/backup.ts';
import { startGateway } from '../../src/app/compose.ts';
import { openJournal, requireJournal } from '../../src/app/journal.ts';
import { readConfig, settings } from '../../src/app/read-config.ts';
import { readStoredSettings } from '../../src/config/config.ts';
import { describeFailure } from '../../src/console/program.ts';
import { createLog } from '../../src/observability/log.ts';
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

const configOf = (dataDir: string) =>
  readConfig({ DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'silent' });

const log = createLog({ level: 'silent', write: () => undefined });

/** What each program does with the journal. */
const uses: readonly (readonly [string, (dataDir: string) => Promise<unknown>])[] = [
  ['a gateway starts', (dataDir) => startGateway(configOf(dataDir), { log })],
  ['a command opens it', (dataDir) => openJournal(configOf(dataDir))],
  [
    'a command copies it',
    (DATA_DIR) => backUp(readStoredSettings(settings, { DATA_DIR }), join(folder, 'copy'), longAgo),
  ],
];

describe.each(uses)('when %s', (_use, use) => {
  test.each(journals)('a journal that is %s is one sentence', async (_what, make, reason) => {
    await make();

    const failure = describeFailure(await use(folder).catch((error: unknown) => error));

    expect(failure).toEqual({ exitCode: 1, sentences: [expect.stringContaining(file)] });
    expect(failure?.sentences[0]?.endsWith(`: ${reason}`)).toBe(true);
  });
});

const noFolder: readonly (readonly [string, () => string, RegExp])[] = [
  ['is a file', () => join(folder, 'data'), /: a part of its path is a file, not a folder\.$/],
  ['cannot be created', () => '/proc/none', /: ENOENT\b|There is no journal at /],
];

test.each(noFolder)('a DATA_DIR that %s is one sentence', async (_what, dataDirOf, reason) => {
  const dataDir = dataDirOf();
  await writeFile(join(folder, 'data'), '');
  const config = configOf(dataDir);

  for (const use of [() => startGateway(config, { log }), async () => requireJournal(config)]) {
    const failure = describeFailure(await use().catch((error: unknown) => error));

    expect(failure).toEqual({ exitCode: 1, sentences: [expect.stringContaining(dataDir)] });
    expect(failure?.sentences[0]).toMatch(reason);
  }
});

test.each([
  ['src/main', []],
  ['src/cli/purchases', ['status']],
  ['src/cli/backup', [join(tmpdir(), `no-backup-${process.pid}`)]],
])('%s %j prints the sentence alone, and ends', async (command, args) => {
  await writeFile(file, 'This is no database. '.repeat(99));

  const { exitCode, stdout, stderr } = await runCommand(
    command,
    { DATA_DIR: folder, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'silent' },
    args,
  );

  expect([exitCode, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.any(String)]]);
  expect(stderr).toContain(file);
  expect(stderr.endsWith(': it is damaged (file is not a database); restore a backup.\n')).toBe(
    true,
  );
});
