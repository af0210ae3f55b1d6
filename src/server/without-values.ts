/** A value of so many characters may be a secret; a shorter one says what is wrong. */
const longestShown = 7;

const shown = (value: string): string =>
  value.length <= longestShown ? value : 'something that is not shown';

/**
 * What the executor says of a document or a variable, without the value that it quotes: errors are logged and shown in
 * places that the value must not reach.
 */
export const withoutValues = (sentence: string): string =>
  sentence
    .replace(
      / got invalid value (.*?)((?: at "[\w.[\]]+")?)(?=; [A-Z](?!.*; [A-Z]))/s,
      (_all, value: string, place: string) => ` got invalid value ${shown(value)}${place}`,
    )
    .replace(
      /(\bcannot represent [\w -]+:|, found|\bUnexpected \w+|\bfound String) (.+?)(\.?)$/s,
      (_all, what: string, value: string, end: string) => `${what} ${shown(value)}${end}`,
    );
