import { readSecretFile, secretOf } from './secret-file.ts';
import { type SettingName, settings, type Values } from './settings.ts';
import { fileNameOf } from './suggestions.ts';

type Texts = Partial<Record<SettingName, string>>;

/** The text of each setting: of the variable or, for a secret, of the file that `<NAME>_FILE` names. */
export function readTexts(env: Readonly<Record<string, string | undefined>>): {
  readonly texts: Texts;
  /** The files that secrets were read from. */
  readonly files: Texts;
  readonly errors: readonly string[];
} {
  const texts: Texts = {};
  const files: Texts = {};
  const errors: string[] = [];
  for (const { name, secret } of settings) {
    const text = presentText(env[name], secret);
    const file = secret ? presentText(env[fileNameOf(name)], false) : undefined;
    if (text !== undefined && file !== undefined) {
      errors.push(`${name} and ${fileNameOf(name)} are both set; remove one of them.`);
    } else if (file !== undefined) {
      const read = readSecretFile(file);
      files[name] = file;
      if ('text' in read) texts[name] = read.text;
      else errors.push(`${fileNameOf(name)}: the file "${file}" ${read.problem}.`);
    } else if (text !== undefined) {
      texts[name] = text;
    }
  }
  return { texts, files, errors };
}

/** A blank variable counts as absent. Spaces belong to a secret. */
const presentText = (text: string | undefined, secret: boolean) => {
  if (!text?.trim()) return undefined;
  return secret ? (secretOf(text) ?? undefined) : text.trim();
};

/**
 * Parses each text by its row. An invalid one is reported in `errors` and gets the value of an absent one, so that the
 * rules between settings can still be checked.
 */
export function readValues(texts: Texts): {
  readonly values: Values;
  readonly invalid: ReadonlySet<SettingName>;
  readonly errors: readonly string[];
} {
  const values: Partial<Record<SettingName, unknown>> = {};
  const invalid = new Set<SettingName>();
  const errors: string[] = [];
  for (const { name, schema, secret } of settings) {
    const text = texts[name];
    const result = schema.safeParse(text);
    if (result.success) {
      values[name] = result.data;
      continue;
    }
    const rule = result.error.issues[0]?.message ?? 'something else';
    const isShown = text !== undefined && !secret && !text.includes('@');
    invalid.add(name);
    errors.push(`${name} must be ${rule}${isShown ? `; it is "${text.slice(0, 60)}"` : ''}.`);
    values[name] = schema.parse(undefined);
  }
  // Each value was parsed by the schema of its own row, which the compiler cannot derive from the loop.
  return { values: values as Values, invalid, errors };
}
