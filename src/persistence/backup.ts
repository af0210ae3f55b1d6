import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../lib/files.ts';
import { proofIds } from './core-tables.ts';
import { checkFile, checkOwner, reasonOf } from './sqlite-file.ts';
import { timeText } from './tables.ts';
import { unavailable } from './unavailable.ts';

const lockTimeoutMs = 5_000;

/**
 * Copies a SQLite journal to a new file as it is at one moment, while gateways continue to write to it.
 *
 * @returns How many purchases the copy has, and the steps of migrations that it has taken.
 * @throws Fault `JOURNAL_UNAVAILABLE` when the journal cannot be read, or the copy cannot be written.
 */
export function backUpJournal(file: string, copy: string) {
  try {
    checkFile(file);
    createPrivateFile(copy);
    copyDatabase(file, copy);
    const descriptor = openSync(copy, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    return describeCopy(copy);
  } catch (cause) {
    throw unavailable(cause, {
      message: `The backup of ${file} to ${copy} failed: ${reasonOf(cause)}.`,
    });
  }
}

function copyDatabase(file: string, copy: string): void {
  using journal = new DatabaseSync(file, { timeout: lockTimeoutMs });
  checkOwner(journal);
  journal.prepare('vacuum into ?').run(copy);
}

function describeCopy(file: string) {
  using database = new DatabaseSync(file, { readOnly: true });
  const count = database.prepare('select count(*) as purchases from purchases').get();
  const steps = database.prepare('select name from kysely_migration order by name').all();
  return { purchases: Number(count?.purchases), steps: steps.map(({ name }) => String(name)) };
}

/** Stores when a backup was made. The journal may be of an older version. @throws Fault `JOURNAL_UNAVAILABLE` */
export function recordBackup(file: string, at: Date): void {
  try {
    using journal = new DatabaseSync(file, { timeout: lockTimeoutMs });
    journal
      .prepare(
        `insert into proofs (id, at, filler) values (?, ?, '')
          on conflict (id) do update set at = excluded.at`,
      )
      .run(proofIds.backup, timeText(at));
  } catch (cause) {
    throw unavailable(cause, {
      message: `The backup is complete, but its time cannot be stored in ${file}: ${reasonOf(cause)}.`,
    });
  }
}
