import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';

/**
 * The text of a file in UTF-8, or in UTF-16, as Windows PowerShell writes it. A byte order mark is not part of the text.
 *
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for other bytes
 */
export const decodeText = (bytes: Uint8Array): string => textDecoder(bytes).decode(bytes);

/** Bytes that decide the encoding. */
export const encodingLength = 64;

/** A decoder for a file that begins with these bytes. */
export function textDecoder(bytes: Uint8Array): TextDecoder {
  return new TextDecoder(encodingOf(bytes.subarray(0, encodingLength)), { fatal: true });
}

/** Without a byte order mark the zeros of Latin letters, separators and line breaks show UTF-16. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isZeroAt = (rest: number) => bytes.some((byte, at) => byte === 0 && at % 2 === rest);
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked) return first === 0xff ? 'utf-16le' : 'utf-16be';
  if (isZeroAt(0) === isZeroAt(1)) return 'utf-8';
  return isZeroAt(1) ? 'utf-16le' : 'utf-16be';
}

/** Makes the new names in a folder durable. Windows cannot. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

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

interface WatchFileOptions {
  /** Returns the content, or null when there is no file. Throws or rejects when the file cannot be read or used. */
  readonly read: () => string | null | Promise<string | null>;
  /** The content that the caller has already. */
  readonly first: string | null;
  readonly everyMs: number;
  readonly clock: Pick<Clock, 'wait'>;
  /** Receives each new content once. An error that it throws is reported as one of `read`. */
  readonly onChange: (content: string | null) => void;
  /** Called after each read, also when nothing changed. */
  readonly onChecked?: () => void;
  /** Receives an error of `read` or `onChange`, once until its message changes or the file can be read again. */
  readonly onError: (error: Error) => void;
}

/**
 * Polls the content of a file. The modification time is not used: a mounted volume may replace a file without changing it.
 * `close` waits for a read in progress.
 */
export function watchFile(options: WatchFileOptions): { close(): Promise<void> } {
  const { read, everyMs, clock, onChange, onError } = options;
  const stop = new AbortController();
  let content = options.first;
  let reported = '';

  const check = async () => {
    try {
      const next = await read();
      reported = '';
      if (next === content) return;
      content = next;
      onChange(next);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error.message !== reported) onError(error);
      reported = error.message;
    }
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      await clock.wait(everyMs, stop.signal);
      await check();
      options.onChecked?.();
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
