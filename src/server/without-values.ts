/** A value of so many characters may be a secret; a shorter one says what is wrong. */
const longestShown = 7;
/** What the type `String` says of another type's value. Auth codes are strings, and a short number may be one. */
const secretType = 'cannot represent a non string value';

/**
 * What the executor says of a document or a variable, without the values that it quotes: errors are logged and displayed
 * in places that a secret must not reach. The place of the value is in `inputPath`.
 */
export const withoutValues = (sentence: string): string =>
  sentence
    .replace(
      /^(Variable "\$\w+") got invalid value .*?( at "[\w.[\]]+")?; (?=[A-Z](?!.*; [A-Z]))/s,
      (_all, variable: string, place = '') => `${variable} is not valid${place}: `,
    )
    .replace(
      /(\bcannot represent [\w -]+|\bUnexpected \w+|\bfound String)(:?) (.+?)(\.?)$/s,
      (_all, what: string, colon: string, value: string, end: string) =>
        value.length > longestShown || what === secretType
          ? `${what}.`
          : `${what}${colon} ${value}${end}`,
    )
    .replace(/, found (.+?)\.?$/s, (all, value: string) =>
      value.startsWith('String') || value.length <= longestShown ? all : '.',
    );
