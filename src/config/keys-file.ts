import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Secret } from '../kernel/secret.ts';
import {
  type ApiKey,
  areDifferent,
  keyMembers,
  shortName,
  whatIsWrongWithKey,
} from './api-keys.ts';

/** A key that `npm run keys` made. */
export interface MadeKey extends ApiKey {
  /** What it begins with after `rg_`: says which key it is, and is no secret. */
  readonly prefix: string;
  readonly madeAt: Date;
  /** Null for one that never does. */
  readonly expiresAt: Date | null;
}

/** As it stands in the file. */
export interface StoredKey {
  readonly prefix: string;
  readonly sha256: string;
  readonly scopes: readonly string[];
  readonly made: string;
  readonly expires?: string;
  readonly tenant?: string;
  readonly limits?: unknown;
}

export type StoredKeys = Readonly<Record<string, StoredKey>>;

/** The file of made keys cannot be used; the message is one sentence, which holds nothing of the file. */
export class KeysFileError extends Error {
  override readonly name = 'KeysFileError';
}

const instant = z.iso.datetime().transform((text) => new Date(text));

const storedKeys = z
  .record(
    shortName,
    z.strictObject({
      ...keyMembers,
      prefix: z.string().regex(/^[0-9a-f]{10}$/),
      made: instant,
      expires: instant.nullable().default(null),
    }),
  )
  .refine(areDifferent);

/** The text of the file; null where there is none. @throws KeysFileError */
export function readKeysText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    if (reason === 'ENOENT') return null;
    throw new KeysFileError(`The file of keys "${file}" cannot be read (${reason}).`);
  }
}

/** The keys that a text of the file holds; none without a file. @throws KeysFileError */
export function parseKeys(text: string | null): readonly MadeKey[] {
  if (text === null) return [];
  const read = storedKeys.safeParse(parse(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const rule = issue && issue.path.length > 0 ? whatIsWrongWithKey(issue) : 'it is one object';
    throw new KeysFileError(`The file of keys is not as "npm run keys" writes it: ${rule}.`);
  }
  return Object.entries(read.data).map(([name, { sha256, made, expires, ...key }]) => ({
    name,
    ...key,
    sha256: new Secret(sha256),
    madeAt: made,
    expiresAt: expires,
  }));
}

/** The same as they stand there. @throws KeysFileError */
export function parseStored(text: string | null): StoredKeys {
  parseKeys(text);
  return text === null ? {} : (JSON.parse(text) as StoredKeys);
}

/** Puts the file in the place of the old one at once: whoever reads sees the one or the other. For its owner alone. */
export function writeKeys(file: string, keys: StoredKeys): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.new`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    // One that was left behind keeps the mode it had.
    chmodSync(draft, 0o600);
    writeSync(descriptor, `${JSON.stringify(keys, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}

/** Undefined for text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
