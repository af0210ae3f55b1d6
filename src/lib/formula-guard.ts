/**
 * A spreadsheet reads a text with one of these first characters as a formula, or removes the character and does so. A text that
 * begins so behind apostrophes gets one more, so that a reader can remove exactly one.
 */
const formulaStart = /^'*[=+\-@\t\r\n\0＝＋－＠]/;

/** A text that a spreadsheet does not run: an apostrophe precedes the first character of a formula (OWASP, CSV injection). */
export const withoutFormula = (text: string): string =>
  formulaStart.test(text) ? `'${text}` : text;

/** The text before `withoutFormula`. */
export const withoutGuard = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text;
