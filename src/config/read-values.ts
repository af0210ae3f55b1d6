import type { z } from 'zod';
import { fileNameOf } from './near-misses.ts';
import { readSecretFile, secretOf } from './secret-file.ts';
import { rows, type SettingName, settings, type Values } from './settings.ts';

type Texts = Partial<Record<SettingName, string>>;

/** The text of each setting: from the variable itself or, for a secret, from the file that `<NAME>_FILE` names. */
export function readFiles(env: Readonly<Record<string, string | undefined>>): {
  readonly values: Texts;
  /** The files that secrets came from. */
  readonly files: Texts;
  readonly problems: readonly string[];
} {
  const values: Texts = {};
  const files: Texts = {};
  const problems: string[] = [];
  for (const { name, secret } of settings) {
    const text = given(env[name], secret);
    const file = secret ? given(env[fileNameOf(name)], false) : undefined;
    if (text !== undefined && file !== undefined) {
      problems.push(`${name} and ${fileNameOf(name)} are both set; keep one of them.`);
    } else if (file !== undefined) {
      const read = readSecretFile(file);
      files[name] = file;
      if ('text' in read) values[name] = read.text;
      else problems.push(`The file "${file}" that ${fileNameOf(name)} names ${read.problem}.`);
    } else if (text !== undefined) {
      values[name] = text;
    }
  }
  return { values, files, problems };
}

const given = (text: string | undefined, secret: boolean) => {
  if (!text?.trim()) return undefined;
  return secret ? (secretOf(text) ?? undefined) : text.trim();
};

/**
 * Each text as its row reads it. A wrong one is named in `problems`, and has the value of one that was not given, so
 * that the rules between settings can still be checked.
 */
export function readValues(texts: Texts): {
  readonly values: Values;
  readonly wrong: ReadonlySet<SettingName>;
  readonly problems: readonly string[];
} {
  const values: Partial<Record<SettingName, unknown>> = {};
  const wrong = new Set<SettingName>();
  const problems: string[] = [];
  for (const name of Object.keys(rows) as SettingName[]) {
    const schema: z.ZodType<unknown, string | undefined> = rows[name].schema;
    const result = schema.safeParse(texts[name]);
    if (result.success) {
      values[name] = result.data;
      continue;
    }
    const rule = result.error.issues[0]?.message ?? 'something else';
    wrong.add(name);
    problems.push(`${name} must be ${rule}${quote(name, texts[name] ?? '')}.`);
    values[name] = schema.parse(undefined);
  }
  // Each value was made by the schema of its own row, which the loop can't tell the compiler.
  return { values: values as Values, wrong, problems };
}

/** The wrong value, unless it is or may hold a secret. */
const quote = (name: SettingName, text: string) =>
  rows[name].secret || text.includes('@') ? '' : `; it is "${text.slice(0, 60)}"`;
