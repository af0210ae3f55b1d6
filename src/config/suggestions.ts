import { type Environment, fileNameOf } from './read-values.ts';
import type { Setting } from './settings.ts';

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
