import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { MadeKey } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { createPrivateFile, decodeText, fileProblem, makePrivateFolder } from '../lib/files.ts';
import { parseJson, secondMember } from '../lib/json.ts';
import { haveDifferentDigests, keyMembers, shortName } from './credentials.ts';
import { ruled, ruleOf } from './formats.ts';

export interface StoredKey {
  readonly prefix: string;
  readonly sha256: string;
  readonly scopes: readonly string[];
  readonly made: string;
  readonly expires?: string;
  readonly tenant?: string;
  readonly customer?: string;
  readonly limits?: unknown;
}

export type StoredKeys = Readonly<Record<string, StoredKey>>;

/** KEYS_FILE cannot be used; the message is one sentence without any of its content. */
export class KeysFileError extends Error {
  override readonly name = 'KeysFileError';
}

const instant = ruled(
  'a time in UTC',
  z.iso.datetime().transform((text) => new Date(text)),
);

const storedKeys = z
  .record(
    shortName,
    z.strictObject(
      {
        ...keyMembers,
        prefix: ruled('10 hexadecimal digits', z.string().regex(/^[0-9a-f]{10}$/)),
        made: instant,
        expires: instant.nullable().default(null),
      },
      'an object with the members of a key, and nothing else',
    ),
    'one object',
  )
  .refine(haveDifferentDigests, 'an object in which no two keys have the same "sha256"');

/** The text of the file; null when it does not exist. @throws KeysFileError */
export function readKeysText(file: string): string | null {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return null;
    throw new KeysFileError(`The file of keys "${file}" cannot be read (${reason}).`);
  }
}

/** The keys in the text of the file; none for null. @throws KeysFileError */
export function parseKeys(text: string | null): readonly MadeKey[] {
  if (text === null) return [];
  const value = parseJson(text);
  const second = value === undefined ? null : secondMember(text);
  if (second !== null) {
    throw new KeysFileError(`The file of keys has ${second}; remove one of the two.`);
  }
  const read = storedKeys.safeParse(value);
  if (!read.success) {
    throw new KeysFileError(
      `The file of keys does not have the format of the command "keys": ${ruleOf(read.error)}.`,
    );
  }
  return Object.entries(read.data).map(([name, { sha256, made: _made, expires, ...key }]) => ({
    name,
    ...key,
    sha256: new Secret(sha256),
    expiresAt: expires,
  }));
}

/** The made keys of a file, as a source that `openCallers` can poll. Both functions throw KeysFileError. */
export const madeKeysIn = (file: string) => ({ read: () => readKeysText(file), parse: parseKeys });

/** The same keys as stored. @throws KeysFileError */
export function parseStored(text: string | null): StoredKeys {
  parseKeys(text);
  return text === null ? {} : (JSON.parse(text) as StoredKeys);
}

/** Replaces the file atomically; only its owner can read it. @throws KeysFileError */
export function writeKeys(file: string, keys: StoredKeys): void {
  try {
    makePrivateFolder(dirname(file));
    const draft = `${file}.new`;
    // A draft that an earlier write left behind would keep its mode.
    rmSync(draft, { force: true });
    createPrivateFile(draft);
    writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { flush: true });
    renameSync(draft, file);
  } catch (error) {
    throw new KeysFileError(`The file of keys "${file}" cannot be written: ${fileProblem(error)}.`);
  }
}

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
