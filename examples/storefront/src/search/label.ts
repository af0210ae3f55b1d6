/** The label in the text so far: blanks become hyphens; hyphens and dots at the ends are removed. */
export const labelOf = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

/** The error of a label that needs no request to detect; null without one. */
export const labelError = (label: string): string | null =>
  /^[\p{L}\p{M}\p{N}.-]*$/u.test(label)
    ? null
    : 'A name has letters of any script, digits and hyphens, and nothing else.';
