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

const prefixes = /^(?:DOMAIN_API|ACCOUNT_API)_/;

/**
 * One sentence for each variable that looks like a misspelled setting: one letter differs, or it has a prefix of ours. A
 * typo in SPEND_LIMITS would otherwise be ignored silently. Other variables belong to other programs.
 */
export function suggestSettings(env: Environment, settings: readonly Setting[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && !isSetting(name, settings))
    .flatMap((name) => {
      const similar = similarTo(name, settings);
      if (similar && name.length > 4) {
        return [`${name} is not a setting and is ignored; did you mean ${similar}?`];
      }
      return prefixes.test(name) ? [`${name} is not a setting and is ignored; see --help.`] : [];
    });
}

/** One sentence for each name that is not one of a setting. */
export function refuseUnknown(
  names: readonly string[],
  settings: readonly Setting[],
): readonly string[] {
  return names
    .filter((name) => !isSetting(name, settings))
    .map((name) => {
      const similar = similarTo(name, settings);
      return `${name} is not a setting${similar ? `; did you mean ${similar}?` : '.'}`;
    });
}

const similarTo = (name: string, settings: readonly Setting[]): string | undefined =>
  settings.find((setting) => isOneLetterOff(name, setting.name))?.name;

function isSetting(name: string, settings: readonly Setting[]): boolean {
  return settings.some(
    (setting) => name === setting.name || (setting.secret && name === fileNameOf(setting.name)),
  );
}

/** Whether one letter of another text was added, removed, replaced or swapped with its neighbour. */
export function isOneLetterOff(given: string, name: string): boolean {
  const at = [...given].findIndex((letter, index) => letter !== name[index]);
  const start = at === -1 ? given.length : at;
  const sameRest = (skipGiven: number, skipName: number) =>
    given.slice(start + skipGiven) === name.slice(start + skipName);
  const isSwapped = given[start] === name[start + 1] && given[start + 1] === name[start];
  return sameRest(1, 1) || sameRest(1, 0) || sameRest(0, 1) || (isSwapped && sameRest(2, 2));
}
