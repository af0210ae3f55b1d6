import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

const folderMode = 0o700;
const fileMode = 0o600;
/** The bits of the group and of all other users. */
const bitsOfOthers = 0o077;

/**
 * Creates a folder, and its missing parents, that only the user of this process can read. An existing one is unchanged.
 *
 * Not with `recursive` of `mkdir`, which never returns in a folder where nothing can be created, such as `/proc`.
 */
export function makePrivateFolder(folder: string): void {
  const parent = dirname(folder);
  if (existsSync(folder) || parent === folder) return;
  makePrivateFolder(parent);
  unlessExisting(() => mkdirSync(folder, { mode: folderMode }));
}

/** Creates an empty file that only the user of this process can read. @throws EEXIST when it exists */
export const createPrivateFile = (file: string): void => closeSync(openSync(file, 'wx', fileMode));

/**
 * Creates the file of a SQLite database before SQLite does, which would let all users read it. SQLite gives the files beside it
 * the same mode. An existing file is not opened: closing it would release the locks that this process has on it.
 */
export const ensurePrivateFile = (file: string): void =>
  unlessExisting(() => createPrivateFile(file));

/** Creates a file or folder, unless another process has created it. */
function unlessExisting(create: () => void): void {
  try {
    create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Removes the access of other users; a link is not followed. Returns whether a mode has changed. @throws as `chmod` */
export function tighten(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || stats.isSymbolicLink() || (stats.mode & bitsOfOthers) === 0) return false;
  chmodSync(path, stats.isDirectory() ? folderMode : fileMode);
  return true;
}

/** Why a file cannot be used, after a colon. */
export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isBelowFile = code === 'EEXIST' || code === 'ENOTDIR';
  return isBelowFile ? 'a part of its path is a file, not a folder' : message;
}
