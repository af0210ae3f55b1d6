/** Characters; a longer value may be a secret. */
const maxShownLength = 7;
/** The message of `String` for a value of another type. Auth codes are strings, and a short number may be one. */
const secretType = 'cannot represent a non string value';

/**
 * A message of graphql-js about a document or a variable, without the values that it quotes, because errors are logged and
 * displayed. `inputPath` has the place of the value.
 */
export const withoutValues = (message: string): string =>
  message
    .replace(
      /^(Variable "\$\w+") got invalid value .*?( at "[\w.[\]]+")?; (?=[A-Z](?!.*; [A-Z]))/s,
      (_all, variable: string, place = '') => `${variable} is not valid${place}: `,
    )
    .replace(
      /(\bcannot represent [\w -]+|\bUnexpected \w+|\bfound String)(:?) (.+?)(\.?)$/s,
      (_all, what: string, colon: string, value: string, end: string) =>
        value.length > maxShownLength || what === secretType
          ? `${what}.`
          : `${what}${colon} ${value}${end}`,
    )
    .replace(/, found (.+?)\.?$/s, (all, value: string) =>
      value.startsWith('String') || value.length <= maxShownLength ? all : '.',
    );
