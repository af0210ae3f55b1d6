import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../lib/private-files.ts';
import { checkFile, checkOwner, reasonOf } from './sqlite-file.ts';
import { unavailable } from './unavailable.ts';

const lockTimeoutMs = 5_000;

/**
 * Copies a SQLite journal as it is at one moment, while gateways continue to write to it.
 *
 * @returns How many purchases the copy has.
 * @throws Fault `JOURNAL_UNAVAILABLE` when the journal cannot be read, or the copy exists already or cannot be written.
 */
export function backUpJournal(file: string, copy: string): number {
  try {
    checkFile(file);
    createPrivateFile(copy);
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw isThere
      ? unavailable(cause, { message: `${copy} exists already; name a new file.` })
      : failed(file, copy, cause);
  }
  try {
    copyDatabase(file, copy);
    const descriptor = openSync(copy, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    return countPurchases(copy);
  } catch (cause) {
    rmSync(copy, { force: true });
    throw failed(file, copy, cause);
  }
}

function failed(file: string, copy: string, cause: unknown): Error {
  return unavailable(cause, {
    message: `The backup of ${file} to ${copy} failed: ${reasonOf(cause)}.`,
  });
}

function copyDatabase(file: string, copy: string): void {
  using journal = new DatabaseSync(file, { timeout: lockTimeoutMs });
  checkOwner(journal);
  journal.prepare('vacuum into ?').run(copy);
}

function countPurchases(file: string): number {
  using database = new DatabaseSync(file, { readOnly: true });
  return Number(database.prepare('select count(*) as purchases from purchases').get()?.purchases);
}
