/** What to search for in a text that is still being typed: blanks become hyphens, and an end that waits for more is cut. */
export const labelOf = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

/** What is wrong with a label at first sight; null where only the gateway can tell. */
export const whatIsWrong = (label: string): string | null =>
  /^[\p{L}\p{M}\p{N}.-]*$/u.test(label)
    ? null
    : 'A name has letters of any script, digits and hyphens, and nothing else.';
