import { pipeline } from 'node:stream';
import type { CsvError as ParseError } from 'csv-parse';
import { encodingLength, textDecoder } from './files.ts';
import { csvParse } from './packages.cjs';

/**
 * A spreadsheet reads a text with one of these first characters as a formula, or removes the character and does so. A text that
 * begins so behind apostrophes gets one more, so that a reader can remove exactly one.
 */
const formulaStart = /^'*[=+\-@\t\r\n\0＝＋－＠]/;

/** A text that a spreadsheet does not run: an apostrophe precedes the first character of a formula (OWASP, CSV injection). */
export const withoutFormula = (text: string): string =>
  formulaStart.test(text) ? `'${text}` : text;

/** The text before `withoutFormula`. */
const withoutGuard = (text: string): string =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text;

/** A row of a CSV file. */
export interface CsvRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that cannot be read further. The message is one sentence with the number of the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(line: number, sentence: string) {
    super(`Line ${line}: ${sentence}`);
  }
}

const separators = [',', ';', '\t'] as const;

/** Bytes of a row at most, so that a quote that is never closed does not collect the whole file. */
const maxRowSize = 65_536;
const lineBreak = /\r\n?|\n/;
const linesOf = (cells: readonly string[]): number => cells.join(' ').split(lineBreak).length;

/**
 * The rows of a CSV file (RFC 4180), one at a time, also the blank ones. The separator is the one of comma, semicolon and tab
 * that the first line with text has most, or that of a first line `sep=;`, as Excel writes it. The text is UTF-8 or UTF-16. The
 * apostrophe that an export writes before a formula is removed.
 *
 * @throws CsvError
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, void> {
  /** Of the text that the parser has read. */
  const place = { line: 1 };
  const texts = fromFirstLine(decoded(chunks, place));
  const { value: text } = await texts.next();
  if (!text) return;
  const named = separatorLine.exec(text);
  const parser = csvParse().parse({
    delimiter: named?.[3] ?? separatorOf(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    rtrim: true,
    max_record_size: maxRowSize,
    on_record(cells) {
      place.line += linesOf(cells);
      return cells;
    },
  });
  async function* all() {
    yield named ? `${named[1]}${text?.slice(named[0].length)}` : text;
    yield* texts;
  }
  // The parser passes errors on.
  pipeline(all, parser, () => undefined);
  try {
    let line = 1;
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      yield { line, cells: cells.map(withoutGuard) };
      line += linesOf(cells);
    }
  } catch (error) {
    throw error instanceof csvParse().CsvError ? new CsvError(place.line, refusalOf(error)) : error;
  }
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  parser: { readonly line: number },
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null;
  let current: Uint8Array = new Uint8Array();
  const noText = () => {
    const [readable = ''] = new TextDecoder(decoder?.encoding)
      .decode(current)
      .split(/[\0\ufffd]/, 1);
    const line = parser.line + readable.split(lineBreak).length - 1;
    return new CsvError(line, 'the text is neither UTF-8 nor UTF-16; save it as UTF-8.');
  };
  try {
    for await (const chunk of withLongFirst(chunks)) {
      current = chunk;
      decoder ??= textDecoder(chunk);
      const text = decoder.decode(chunk, { stream: true });
      if (text.includes('\0')) throw noText();
      yield text;
    }
    if (decoder) yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw noText();
  }
}

/** Reads a whole file without its rows. @throws CsvError for bytes that are no text */
export async function checkEncoding(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const place = { line: 1 };
  for await (const text of decoded(chunks, place)) {
    place.line += text.split(lineBreak).length - 1;
  }
}

/** The chunks, the first of which is long enough to decide the encoding. */
async function* withLongFirst(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let first: Uint8Array | null = new Uint8Array();
  for await (const chunk of chunks) {
    if (first === null) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < encodingLength) continue;
    yield first;
    first = null;
  }
  if (first !== null) yield first;
}

/** The line that names the separator, behind blank lines. */
const separatorLine = /^(\s*)("?)sep=([^\w\s"]|\t)\2[,;\t]*(?=[\r\n]|$)/i;

/** The text up to the end of its first line with text, which decides the separator, and the text behind it. */
async function* fromFirstLine(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held: string | null = '';
  for await (const text of texts) {
    if (held === null) {
      yield text;
      continue;
    }
    held += text;
    if (!/\S[^\r\n]*[\r\n]/.test(held) && held.length < maxRowSize) continue;
    yield held;
    held = null;
  }
  if (held) yield held;
}

function separatorOf(text: string): string {
  const first = text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? '';
  const unquoted = first.replace(/"(?:[^"]|"")*"/g, '');
  const countOf = (separator: string) => unquoted.split(separator).length;
  return separators.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
}

function refusalOf({ code }: ParseError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote of this row is never closed.';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `a row has at most ${maxRowSize} bytes; a quote may not be closed.`;
  }
  return 'text follows a closing quote; write a quote in a cell as two quotes.';
}

/** A row below a header, by the names of its columns. Blank cells are absent. */
export interface CsvRecord<Column extends string> {
  readonly line: number;
  readonly values: Readonly<Partial<Record<Column, string>>>;
}

/**
 * The records of a CSV file whose first row names its columns, in any order; `First name` and `first_name` are `firstName`. Blank
 * rows are left out.
 *
 * @throws CsvError, also for a column that is not known, repeated or missing
 */
export async function* readCsvRecords<Column extends string>(
  chunks: AsyncIterable<Uint8Array>,
  columns: { readonly required: readonly Column[]; readonly optional: readonly Column[] },
): AsyncGenerator<CsvRecord<Column>, void> {
  let names: readonly Column[] | null = null;
  for await (const row of readCsv(chunks)) {
    const { line } = row;
    const cells = withoutBlankEnd(row.cells);
    if (cells.length === 0) continue;
    if (names === null) {
      names = columnsOf(line, cells, columns);
      continue;
    }
    if (cells.length > names.length) {
      const rule = `the row has ${cells.length} cells, and the first row names ${names.length} columns.`;
      throw new CsvError(line, rule);
    }
    const known = names;
    const values = cells.flatMap((cell, at) =>
      cell.trim() === '' ? [] : [[known[at] as Column, cell.trim()] as const],
    );
    yield { line, values: Object.fromEntries(values) as CsvRecord<Column>['values'] };
  }
}

/** A column at the end without a name and without values is none. */
export const withoutBlankEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);

/** The name of a column regardless of its spelling: `Domain Name` and `domain_name` are `domainname`. */
export const columnKey = (name: string): string => name.toLowerCase().replace(/[\s_.-]/g, '');

function columnsOf<Column extends string>(
  line: number,
  cells: readonly string[],
  {
    required,
    optional,
  }: { readonly required: readonly Column[]; readonly optional: readonly Column[] },
): readonly Column[] {
  const known = new Map([...required, ...optional].map((name) => [columnKey(name), name]));
  const all = [...known.values()].join(', ');
  const names = cells.map((cell) => {
    const name = known.get(columnKey(cell));
    if (name) return name;
    throw new CsvError(line, `"${cell.slice(0, 40)}" is no column; the columns are ${all}.`);
  });
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated) throw new CsvError(line, `the column "${repeated}" is named twice.`);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  const what = missing.length === 1 ? 'the column' : 'the columns';
  throw new CsvError(line, `the first row must name ${what} ${missing.join(', ')}.`);
}
