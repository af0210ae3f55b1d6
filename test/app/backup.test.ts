import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backUp, checkBackup, type Manifest, restore } from '../../src/app/backup.ts';
import { settings as known } from '../../src/app/read-config.ts';
import { readStoredSettings } from '../../src/config/config.ts';
import { describeFailure } from '../../src/console/program.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { runCommand } from '../support/process.ts';

const now = new Date('2026-11-22T03:00:00Z');
const DATABASE_URL = 'postgres://someone:swordfish@127.0.0.1:1/shop';

let parent: string;
/** The settings of the machine that was backed up. */
let env: Record<string, string>;
/** Its backup. */
let good: string;
const journalFile = () => join(String(env.DATA_DIR), 'sandbox-journal.sqlite');

beforeAll(async () => {
  parent = await newFolder('backups');
  env = { DATA_DIR: join(parent, 'data'), PRICES_FILE: join(parent, 'prices.json') };
  good = join(parent, 'good');
  await (await openSqliteJournal({ file: journalFile() })).close();
  await writeFile(join(parent, 'prices.json'), '{ "rules": [{ "margin": "50" }] }');
  await backUp(readStoredSettings(known, env), good, now);
});
afterAll(() => rm(parent, { recursive: true }));

let work: string;
/** A copy of the backup. */
let copy: string;
/** The settings of an empty machine. */
let empty: Record<string, string>;
beforeEach(async () => {
  work = await newFolder('backups-of-test');
  copy = join(work, 'copy');
  empty = { DATA_DIR: join(work, 'data'), PRICES_FILE: join(work, 'etc', 'prices.json') };
  await cp(good, copy, { recursive: true });
  return () => rm(work, { recursive: true });
});

const back = (settings: Record<string, string>, folder = join(work, 'made')) =>
  backUp(readStoredSettings(known, settings), folder, now);
const refusalOf = async (result: Promise<unknown>) => {
  const failure = describeFailure(
    await result.then(
      () => null,
      (error: unknown) => error,
    ),
  );
  expect(failure?.exitCode).toBe(1);
  return failure?.sentences.map((text) => text.replaceAll(work, '')).join();
};
const lastBackup = async () => {
  const journal = await openSqliteJournal({ file: journalFile() });
  const at = await journal.lastBackup();
  await journal.close();
  return at;
};
async function edit(change: (manifest: Manifest) => object): Promise<void> {
  const file = join(copy, 'manifest.json');
  const manifest: Manifest = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, ...change(manifest) }));
}
const inCopy = (name: string) => join(copy, name);
const journalOf = ({ journal }: Manifest) => ({ ...journal, file: 'sandbox-journal.sqlite' });

/** A journal with a damaged page, whose SHA-256 is in the manifest. */
async function damagePage(): Promise<void> {
  const file = inCopy('sandbox-journal.sqlite');
  await using handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(4_096, 'x'), 0, 4_096, 8 * 4_096);
  const sha256 = hash('sha256', await readFile(file));
  await edit(({ files }) => ({
    files: { ...files, 'sandbox-journal.sqlite': { size: 0, sha256 } },
  }));
}

test('a backup has the journal, and the files of settings, and names the settings that it leaves out', async () => {
  const secret = 'a-secret-of-the-machine-0123456789';
  const API_KEY_FILE = join(work, 'key');
  await writeFile(API_KEY_FILE, secret);

  const manifest = await back({
    ...{ ...env, API_KEY_FILE, DOMAIN_API_PASSWORD: secret, SPEND_LIMITS: '{"perHour":20}' },
  });

  expect(manifest).toMatchObject({
    madeAt: '2026-11-22T03:00:00.000Z',
    journal: { file: 'sandbox-journal.sqlite', purchases: 0, steps: ['0001-base'] },
    leavesOut: [
      ...['the data of the sandbox', 'DATA_DIR', 'DOMAIN_API_PASSWORD', 'API_KEY', 'SPEND_LIMITS'],
    ],
  });
  const names = await readdir(join(work, 'made'));
  expect(names.toSorted()).toEqual(['PRICES_FILE', 'manifest.json', 'sandbox-journal.sqlite']);
  for (const name of names) {
    expect(await readFile(join(work, 'made', name), 'latin1')).not.toContain(secret);
  }
  expect(await lastBackup()).toEqual(now);
});

test('a backup of a journal in PostgreSQL has the other files, and names pg_dump', async () => {
  const made = join(work, 'made');

  const { exitCode, stdout } = await runCommand('src/cli/backup', { ...env, DATABASE_URL }, [made]);

  expect([exitCode, stdout]).toEqual([
    0,
    `${made} is a backup of PRICES_FILE.\nIt leaves out: the journal in PostgreSQL, which pg_dump copies, the data of the sandbox, DATA_DIR, DATABASE_URL, EVENTS_INTERVAL_SECONDS.\n`,
  ]);
  expect(await checkBackup(made)).toMatchObject({ journal: null });
  await restore(readStoredSettings(known, { ...empty, DATABASE_URL }), made);
  expect(existsSync(String(empty.PRICES_FILE))).toBe(true);
  expect(await refusalOf(restore(readStoredSettings(known, empty), made))).toContain(
    'The journal of the backup is PostgreSQL, and that of the settings is sandbox-journal.sqlite',
  );
});

describe('a backup that cannot be made is one sentence and leaves nothing:', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['its folder exists', () => back(env, copy), '/copy exists already; name a new folder.'],
    [
      'its folder has no parent',
      () => back(env, join(work, 'no', 'made')),
      'The backup to /no/made failed: ENOENT: no such file or directory, mkdtemp',
    ],
    [
      'a file is missing',
      () => back({ ...env, APPROVALS_FILE: join(work, 'none.json') }),
      "APPROVALS_FILE: ENOENT: no such file or directory, open '/none.json'.",
    ],
    [
      'there is no journal',
      () => back(empty),
      'There is no journal at /data/sandbox-journal.sqlite;',
    ],
  ])('%s', async (_what, make, sentence) => {
    const before = await lastBackup();
    const names = await readdir(work);

    expect(await refusalOf(make())).toContain(sentence);

    expect(await readdir(work)).toEqual(names);
    expect(await lastBackup()).toEqual(before);
  });
});

describe('a backup is refused with one sentence by a check and by a restore, which writes nothing:', () => {
  const other = 'was written by another version of the program; name another backup.';
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'it is another folder',
      () => rm(inCopy('manifest.json')),
      '/copy is no backup: it has no manifest.json.',
    ],
    ['its manifest is cut', () => writeFile(inCopy('manifest.json'), '{'), other],
    ['its manifest has a later format', () => edit(() => ({ format: 2 })), other],
    [
      'a file is missing',
      () => rm(inCopy('PRICES_FILE')),
      '/copy is incomplete: it has no PRICES_FILE.',
    ],
    [
      'a file was changed',
      () => appendFile(inCopy('PRICES_FILE'), ' '),
      '/copy is damaged: PRICES_FILE is not the file of manifest.json.',
    ],
    [
      'a file is outside of it',
      () => edit(({ files }) => ({ files: { ...files, '../data': files.PRICES_FILE } })),
      '/copy is incomplete: it has no ../data.',
    ],
    ['its journal is not among its files', () => edit(() => ({ files: {} })), other],
    [
      'its journal is damaged',
      damagePage,
      'The journal cannot use the file /copy/sandbox-journal.sqlite: it is damaged',
    ],
    [
      'its journal is of a newer version',
      () =>
        edit((manifest) => ({
          ...{ version: '9.1.0' },
          journal: { ...journalOf(manifest), steps: ['0001-base', '0009-later'] },
        })),
      'The journal in /copy was written by a newer version of the gateway (9.1.0, step "0009-later"); restore it with that version.',
    ],
  ])('%s', async (_what, damage, sentence) => {
    await damage();

    expect(await refusalOf(checkBackup(copy))).toContain(sentence);
    expect(await refusalOf(restore(readStoredSettings(known, empty), copy))).toContain(sentence);
    expect(await readdir(work)).toEqual(['copy']);
  });
});

describe('a restore is refused with one sentence before it writes:', () => {
  const live = {
    ...{ UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/domain' },
  };
  test.each<[string, () => Record<string, string>, string]>([
    [
      'the journal is of the other kind of upstream',
      () => ({ ...empty, ...live }),
      'The journal of the backup is sandbox-journal.sqlite, and that of the settings is journal.sqlite; set UPSTREAM and DATABASE_URL as in the backup.',
    ],
    [
      'the journal is in PostgreSQL now',
      () => ({ ...empty, DATABASE_URL }),
      'The journal of the backup is sandbox-journal.sqlite, and that of the settings is PostgreSQL;',
    ],
    [
      'no setting names a file of the backup',
      () => ({ ...empty, PRICES_FILE: 'none' }),
      'Set PRICES_FILE to the path at which to restore the file.',
    ],
  ])('%s', async (_what, settings, sentence) => {
    expect(await refusalOf(restore(readStoredSettings(known, settings()), copy))).toContain(
      sentence,
    );
    expect(await readdir(work)).toEqual(['copy']);
  });

  test.each(['sandbox-journal.sqlite', 'sandbox-journal.sqlite-wal', 'prices.json'])(
    'there is another %s',
    async (name) => {
      await mkdir(join(work, 'data'));
      const settings = { ...empty, PRICES_FILE: join(work, 'data', 'prices.json') };
      await writeFile(join(work, 'data', name), 'precious');

      expect(await refusalOf(restore(readStoredSettings(known, settings), copy))).toBe(
        `/data/${name} exists already, and restore overwrites no file; move it away.`,
      );

      expect(await readdir(join(work, 'data'))).toEqual([name]);
      expect(await readFile(join(work, 'data', name), 'utf8')).toBe('precious');
    },
  );
});

test('a restore that was interrupted can be repeated', async () => {
  const settings = readStoredSettings(known, empty);
  await restore(settings, copy);
  await rm(join(work, 'data', 'sandbox-journal.sqlite'));
  await writeFile(join(work, 'data', 'sandbox-journal.sqlite.new'), 'interrupted');

  await restore(settings, copy);

  expect(await readdir(join(work, 'data'))).toEqual(['sandbox-journal.sqlite']);
});

test('a check needs no settings, and prints what the backup has', async () => {
  const { exitCode, stdout } = await runCommand('src/cli/restore', {}, ['--check', copy]);

  expect([exitCode, stdout]).toEqual([
    0,
    `${copy} is a complete backup of 2026-11-22T03:00:00.000Z with PRICES_FILE, sandbox-journal.sqlite (0 purchases).\n`,
  ]);
});

test('each setting whose value can be the path of a file is one that backups copy', () => {
  const paths = known.filter(({ name, example }) => `${name} ${example}`.match(/_FILE | \.\//));

  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter(({ namesFile }) => !namesFile)).toEqual([]);
});
