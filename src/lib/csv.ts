/** A spreadsheet reads a text with one of these first characters as a formula, or removes the character and does so. */
const formulaStart = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** A text that a spreadsheet does not run: an apostrophe precedes the first character of a formula (OWASP, CSV injection). */
export const withoutFormula = (text: string): string =>
  formulaStart.test(text) ? `'${text}` : text;

const quoteCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** A record of RFC 4180 with its line break. */
export const csvRecord = (cells: readonly string[]): string => `${cells.map(quoteCell).join()}\r\n`;
