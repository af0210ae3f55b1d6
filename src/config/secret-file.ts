import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The text of a login: what fits into a member of a call. */
export const secretText = z
  .string()
  .regex(/^[^\p{Cc}]{1,512}$/u, 'at most 512 characters without a line break or another control');

/** What a file holds, or what is wrong with it, which completes "The file … ". */
export type SecretFile = { readonly text: string } | { readonly problem: string };

/** Blanks around a value belong to a secret; a line break at its end comes from the editor that wrote the file. */
export const secretOf = (text: string): string | null =>
  text.trim() === '' ? null : text.replace(/[\r\n]+$/, '');

export function readSecretFile(file: string): SecretFile {
  try {
    return understand(readFileSync(file, 'utf8'));
  } catch (error) {
    return unreadable(error);
  }
}

/** The same, for a process that has other things to do meanwhile. */
export const readSecretFileLater = (file: string): Promise<SecretFile> =>
  readFile(file, 'utf8').then(understand, unreadable);

function understand(text: string): SecretFile {
  const secret = secretOf(text);
  return secret === null ? { problem: 'is empty' } : { text: secret };
}

const unreadable = (error: unknown): SecretFile => ({
  problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
});
