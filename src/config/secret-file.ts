import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { decodeText } from '../lib/files.ts';

/** A password, which can begin or end with spaces. */
export const secretText = z
  .string()
  .regex(/^[^\p{Cc}]{1,512}$/u, 'at most 512 characters without control characters');

export const userName = secretText.regex(
  /^\S(?:.*\S)?$/u,
  'text without blanks before or after it',
);

/** The text of a file, or its problem, which completes "The file … ". */
export type SecretFile = { readonly text: string } | { readonly problem: string };

/** A secret can begin or end with spaces. Editors add a line break at the end of a file. Null for a blank text. */
export const secretOf = (text: string): string | null =>
  text.trim() === '' ? null : text.replace(/[\r\n]+$/, '');

export function readSecretFile(file: string): SecretFile {
  try {
    const text = secretOf(decodeText(readFileSync(file)));
    return text === null ? { problem: 'is empty' } : { text };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    if (reason === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'is not UTF-8 text' };
    return { problem: `cannot be read (${reason})` };
  }
}

/** Reads a password, or a user name that is only compared. */
export function readLoginFile(file: string): SecretFile {
  const read = readSecretFile(file);
  return 'text' in read && !secretText.safeParse(read.text).success
    ? { problem: 'has more than one line, or more than 512 characters' }
    : read;
}

export function readUserNameFile(file: string): SecretFile {
  const read = readLoginFile(file);
  return 'text' in read && !userName.safeParse(read.text).success
    ? { problem: 'begins or ends with a blank' }
    : read;
}
