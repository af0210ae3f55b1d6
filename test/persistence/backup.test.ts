import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUpJournal, recordBackup } from '../../src/persistence/backup.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { account, claimNumber, unlimited } from './claims.ts';

let folder: string;
let file: string;
let copy: string;
let journal: Journal;

beforeEach(async () => {
  folder = await newFolder('backup');
  file = join(folder, 'journal.db');
  copy = join(folder, 'copy.db');
  journal = await openSqliteJournal({ file });
});

afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true });
});

const faultOf = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

test('the copy of an open journal has its purchases, and does not change with it', async () => {
  for (const at of [1, 2]) await journal.claim(claimNumber(at), unlimited);

  expect(backUpJournal(file, copy)).toEqual({ purchases: 2, steps: ['0001-base'] });

  await journal.claim(claimNumber(3), unlimited);
  const restored = await openSqliteJournal({ file: copy });
  expect(await restored.byId(account, 'operation-002')).toMatchObject({ domain: 'name-2.com' });
  expect(await restored.count(account)).toBe(2);
  await restored.close();
});

test('a file that exists is not overwritten', async () => {
  await writeFile(copy, 'precious');

  expect(faultOf(() => backUpJournal(file, copy))).toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
  });
  expect(await readFile(copy, 'utf8')).toBe('precious');
});

test('a failed backup names both files and the reason', async () => {
  const missing = join(folder, 'no-such-folder', 'copy.db');

  expect(faultOf(() => backUpJournal(file, missing))).toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    message: `The backup of ${file} to ${missing} failed: ENOENT: no such file or directory, open '${missing}'.`,
    cause: expect.any(Error),
  });
});

test('the database of another program has no backup', async () => {
  const other = join(folder, 'other.db');
  new DatabaseSync(other).exec('create table notes (text)');

  expect(faultOf(() => backUpJournal(other, copy))).toMatchObject({
    message: `The backup of ${other} to ${copy} failed: it is the database of another program; restore a backup, or set another DATA_DIR.`,
  });
});

test('the time of the last backup is in the journal', async () => {
  expect(await journal.lastBackup()).toBeNull();

  await journal.checkWritable(new Date('2026-01-03T00:00:00Z'));
  for (const day of [1, 2]) recordBackup(file, new Date(`2026-01-0${day}T00:00:00Z`));

  expect(await journal.lastBackup()).toEqual(new Date('2026-01-02T00:00:00Z'));
});

test('a time that cannot be stored is one sentence', () => {
  const missing = join(folder, 'no-such-folder', 'journal.db');

  expect(faultOf(() => recordBackup(missing, new Date()))).toMatchObject({
    message: `The backup is complete, but its time cannot be stored in ${missing}: unable to open database file; its folder may be read-only.`,
  });
});
