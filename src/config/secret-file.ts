import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A user name or a password. */
export const secretText = z
  .string()
  .regex(/^[^\p{Cc}]{1,512}$/u, 'at most 512 characters without control characters');

/** The text of a file, or its problem, which completes "The file … ". */
export type SecretFile = { readonly text: string } | { readonly problem: string };

/** A secret can begin or end with spaces. Editors add a line break at the end of a file. Null for a blank text. */
export const secretOf = (text: string): string | null =>
  text.trim() === '' ? null : text.replace(/[\r\n]+$/, '');

export function readSecretFile(file: string): SecretFile {
  try {
    const text = secretOf(readFileSync(file, 'utf8'));
    return text === null ? { problem: 'is empty' } : { text };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return { problem: `cannot be read (${reason})` };
  }
}

/** Reads a user name or a password. */
export function readLoginFile(file: string): SecretFile {
  const read = readSecretFile(file);
  return 'text' in read && !secretText.safeParse(read.text).success
    ? { problem: 'has more than one line, or more than 512 characters' }
    : read;
}
