/** No text that is compared in NFC is longer. */
const maxLength = 512;

/** The text in NFC. A longer one is returned as it is: to order its combining marks would take quadratic time. */
export const composed = <Text extends string | null | undefined>(text: Text): Text | string =>
  text && text.length <= maxLength ? text.normalize('NFC') : text;

/** `1 domain`, `2 domains`. */
export const several = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** 10000 as `10,000`. `toLocaleString` loads ICU, which takes 15 ms and 8 MB. */
export const withThousands = (count: number): string =>
  String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

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
