import { type SettingName, settings } from './settings.ts';

const families = /^(?:DOMAIN_API|ACCOUNT_API)_/;

/**
 * One sentence for each variable whose name is probably meant to be a setting: one letter off, or with a prefix of ours.
 *
 * Nothing is refused: the environment belongs to others as well.
 */
export function nearMisses(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => !isKnown(name))
    .flatMap((name) => {
      const meant = settings.find(
        (setting) => name.length > 4 && isOneLetterOff(name, setting.name),
      );
      if (meant) return [`${name} is not a setting and is ignored; did you mean ${meant.name}?`];
      return families.test(name) ? [`${name} is not a setting and is ignored; see --help.`] : [];
    });
}

function isKnown(name: string): boolean {
  return settings.some(
    (setting) => name === setting.name || (setting.secret && name === fileNameOf(setting.name)),
  );
}

/** The variable that names a file with the secret in it. */
export const fileNameOf = (name: SettingName): string => `${name}_FILE`;

/** Whether one letter was added, left out, replaced or swapped with its neighbour. */
function isOneLetterOff(given: string, meant: string): boolean {
  if (Math.abs(given.length - meant.length) > 1 || given === meant) return false;
  let start = 0;
  while (start < meant.length && given[start] === meant[start]) start += 1;
  const rest = (text: string, skip: number) => text.slice(start + skip);
  return (
    rest(given, 1) === rest(meant, 1) ||
    rest(given, 1) === rest(meant, 0) ||
    rest(given, 0) === rest(meant, 1) ||
    (given[start] === meant[start + 1] &&
      given[start + 1] === meant[start] &&
      rest(given, 2) === rest(meant, 2))
  );
}
