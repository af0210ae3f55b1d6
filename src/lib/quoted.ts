const maxShownLength = 80;

/** Text of a client, cut to a length that people read. */
export const shortened = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;

/**
 * Text of a client for an error message: quoted, shortened, with `\` before quotation marks and backslashes, and with invisible
 * characters as `\u{200b}`.
 */
export const quoted = (text: string): string =>
  `"${shortened(text)
    .replace(/["\\]/g, '\\$&')
    .replace(invisible, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)}"`;

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
