import { readSecretFile, secretOf } from './secret-file.ts';
import type { Setting, Values } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names a file with the secret in it. */
export const fileNameOf = (name: string): string => `${name}_FILE`;

/**
 * Parses the text of each setting by its row. An invalid one is reported in `errors` and gets the value of an absent one, so
 * that the rules between settings can still be checked.
 */
export function readValues(env: Environment, settings: readonly Setting[]) {
  const values: Record<string, unknown> = {};
  /** The files that secrets were read from. */
  const files: Partial<Record<string, string>> = {};
  const invalid = new Set<string>();
  const errors: string[] = [];
  for (const { name, schema, secret } of settings) {
    const { text, file, error } = secret
      ? readSecret(name, env)
      : { text: env[name]?.trim() || undefined };
    if (file !== undefined) files[name] = file;
    if (error !== undefined) errors.push(error);
    const result = schema.safeParse(text);
    values[name] = result.success ? result.data : schema.parse(undefined);
    if (result.success) continue;
    const rule = result.error.issues[0]?.message ?? 'something else';
    const isShown = text !== undefined && !secret && !text.includes('@');
    invalid.add(name);
    errors.push(`${name} must be ${rule}${isShown ? `; it is "${text.slice(0, 60)}"` : ''}.`);
  }
  // Each value was parsed by the schema of its own row, which the compiler cannot derive from the loop.
  return { values: values as Values & typeof values, files, invalid, errors };
}

interface ReadText {
  readonly text?: string | undefined;
  readonly file?: string;
  readonly error?: string;
}

/** The text of the variable, or of the file that `<NAME>_FILE` names. A blank variable counts as absent. */
function readSecret(name: string, env: Environment): ReadText {
  const text = secretOf(env[name] ?? '') ?? undefined;
  const file = env[fileNameOf(name)]?.trim();
  if (!file) return { text };
  if (text !== undefined) {
    return { error: `${name} and ${fileNameOf(name)} are both set; remove one of them.` };
  }
  const read = readSecretFile(file);
  if ('text' in read) return { text: read.text, file };
  return { file, error: `${fileNameOf(name)}: the file "${file}" ${read.problem}.` };
}
