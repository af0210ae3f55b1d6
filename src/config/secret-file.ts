import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
    return toSecret(readFileSync(file, 'utf8'));
  } catch (error) {
    return unreadable(error);
  }
}

/** Reads a user name or a password. @throws Error whose message completes "The file … ". */
export async function readLoginFile(file: string): Promise<string> {
  const read = toLogin(await readFile(file, 'utf8').then(toSecret, unreadable));
  if ('problem' in read) throw new Error(read.problem);
  return read.text;
}

/** The same file, with a problem when its text cannot be a login. */
export const toLogin = (read: SecretFile): SecretFile =>
  'text' in read && !secretText.safeParse(read.text).success
    ? { problem: 'has more than one line, or more than 512 characters' }
    : read;

function toSecret(text: string): SecretFile {
  const secret = secretOf(text);
  return secret === null ? { problem: 'is empty' } : { text: secret };
}

const unreadable = (error: unknown): SecretFile => ({
  problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
});
