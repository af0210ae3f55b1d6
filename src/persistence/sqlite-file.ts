import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile, fileProblem, makePrivateFolder } from '../lib/files.ts';
import { systemClock } from '../lib/system.ts';
import { JournalFailure, unavailable } from './unavailable.ts';

/** Another process may have created an empty file just now, and not have written to it yet. */
const newFileMs = 60_000;

/**
 * Creates the file and its folder when they do not exist.
 *
 * @throws JournalFailure for an existing file that cannot be a journal, or an error of the file system
 */
export function prepareFile(file: string): void {
  makePrivateFolder(dirname(file));
  ensurePrivateFile(file);
  checkFile(file, systemClock.now().getTime() - newFileMs);
}

/**
 * Refuses a directory, and a file that was empty before `emptyBeforeMs`. SQLite would create an empty journal in it, which would
 * buy again what the lost one bought.
 *
 * @throws JournalFailure, or an error of the file system
 */
export function checkFile(file: string, emptyBeforeMs = Infinity): void {
  const stats = statSync(file);
  if (stats.isDirectory()) throw new JournalFailure('it is a directory');
  if (stats.size === 0 && stats.mtimeMs < emptyBeforeMs) {
    throw new JournalFailure(
      'it is empty; restore a backup, or remove it to begin without purchases',
    );
  }
}

/**
 * Refuses the database of another program, which has tables and none that a migration of the journal has made. A new one has none.
 *
 * @throws JournalFailure, or an error of SQLite
 */
export function checkOwner(database: DatabaseSync): void {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  if (tables.length === 0 || tables.some(({ name }) => name === 'kysely_migration')) return;
  throw new JournalFailure(
    'it is the database of another program; restore a backup, or set another DATA_DIR',
  );
}

/**
 * Reads every page of the database, while gateways continue to write to it. It takes seconds for 200 MB, so no start does it.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when a page is damaged.
 */
export function checkPages(
  file: string,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): void {
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const flaw = database.prepare(`pragma ${check}(1)`).get()?.[check];
    if (flaw === 'ok') return;
    const text = String(flaw).replaceAll(/\s+/g, ' ');
    throw new JournalFailure(`it is damaged (${text}); restore a backup`);
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/** `JOURNAL_UNAVAILABLE` with the file and why it cannot be used. */
export function unusable(file: string, cause: unknown): Error {
  const message = `The journal cannot use the file ${file}: ${reasonOf(cause)}.`;
  return unavailable(new JournalFailure(message, { cause }), { message });
}

/** Why a statement failed, for the log and the health response, when the reason is the file or its disk; else null. */
export const fileFailure = (file: string, cause: unknown): JournalFailure | null =>
  damaged.has(primaryCode(cause)) || unwritable.has(primaryCode(cause))
    ? new JournalFailure(`The file ${basename(file)} cannot be used: ${reasonOf(cause)}.`, {
        cause,
      })
    : null;

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error instanceof JournalFailure && error.cause) return reasonOf(error.cause);
  const code = primaryCode(error);
  if (damaged.has(code)) return `it is damaged (${error.message}); restore a backup`;
  const hint = hints.get(code);
  return hint ? `${error.message}; ${hint}` : fileProblem(error).replace(/\.$/, '');
}

/** What SQLITE_IOERR and SQLITE_CANTOPEN may mean, also for the files beside the database. */
const hints: ReadonlyMap<number, string> = new Map([
  [10, 'the disk may be full or defective'],
  [14, 'its folder may be read-only'],
]);
/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const damaged = new Set([11, 26]);
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL. */
const unwritable = new Set([8, 10, 13]);

/** The lowest byte of the code of SQLite, which all extended codes of a kind share; NaN for an error of another origin. */
export const primaryCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN;
