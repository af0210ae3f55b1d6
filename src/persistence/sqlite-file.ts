import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ensurePrivateFile, fileProblem, makePrivateFolder } from '../lib/private-files.ts';
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

/** `JOURNAL_UNAVAILABLE` with the file and why it cannot be used. */
export const unusable = (file: string, cause: unknown) =>
  unavailable(cause, { message: `The journal cannot use the file ${file}: ${reasonOf(cause)}.` });

/** The failure of a statement in a damaged file, for the log and the health response; null for any other error. */
export const damageOf = (file: string, cause: unknown): JournalFailure | null =>
  isDamaged(cause)
    ? new JournalFailure(`The file ${basename(file)} is damaged; restore a backup.`, { cause })
    : null;

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error instanceof JournalFailure && error.cause) return reasonOf(error.cause);
  if (isDamaged(error)) return `it is damaged (${error.message}); restore a backup`;
  return fileProblem(error).replace(/\.$/, '');
}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const damaged = new Set([11, 26]);

const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && damaged.has(Number(error.errcode) & 0xff);
