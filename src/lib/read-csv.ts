import { textDecoder } from './decode-text.ts';

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

/** Characters of a row at most, so that a quote that is never closed does not collect the whole file. */
const maxRowLength = 65_536;

/**
 * The rows of a CSV file (RFC 4180), one at a time, also the blank ones. The separator is the one of comma, semicolon and tab
 * that the first line has most. The text is UTF-8, or UTF-16 with a byte order mark.
 *
 * @throws CsvError
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, void> {
  const parser = new CsvParser();
  for await (const text of decoded(chunks, parser)) yield* parser.read(text);
  yield* parser.end();
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  parser: { readonly line: number },
): AsyncGenerator<string, void> {
  let decoder: TextDecoder | null = null;
  try {
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue;
      decoder ??= textDecoder(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    if (decoder) yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CsvError(parser.line, 'the text is neither UTF-8 nor UTF-16; save it as UTF-8.');
  }
}

/** `start`: before the first character of a cell. `closed`: after a quote in a quoted cell. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

class CsvParser {
  /** The current line. */
  line = 1;
  #rowLine = 1;
  #separator: string | null = null;
  #place: Place = 'start';
  #cell = '';
  #cells: string[] = [];
  #length = 0;
  #endedByReturn = false;
  /** Text that waits for the end of the first line, which decides the separator. */
  #held = '';

  *read(text: string): Generator<CsvRow, void> {
    const all = this.#held + text;
    if (this.#separator === null && !/[\r\n]/.test(all) && all.length < maxRowLength) {
      this.#held = all;
      return;
    }
    this.#held = '';
    this.#separator ??= separatorOf(all);
    for (const character of all) {
      const row = this.#take(character);
      if (row) yield row;
    }
  }

  *end(): Generator<CsvRow, void> {
    const held = this.#held;
    this.#separator ??= separatorOf(held);
    yield* this.read('');
    if (this.#place === 'quoted') {
      throw new CsvError(this.#rowLine, 'a quote of this row is never closed.');
    }
    if (this.#length > 0) yield this.#endRow();
  }

  /** The row that the character ends, if any. */
  #take(character: string): CsvRow | null {
    const isSecondOfPair = character === '\n' && this.#endedByReturn;
    this.#endedByReturn = character === '\r';
    const isBreak = character === '\n' || character === '\r';
    if (isSecondOfPair) {
      if (this.#place === 'quoted') this.#cell += character;
      return null;
    }
    if (isBreak) this.line += 1;
    if (isBreak && this.#place !== 'quoted') return this.#endRow();
    this.#length += 1;
    if (this.#length > maxRowLength) {
      const rule = `a row has at most ${maxRowLength} characters; a quote may not be closed.`;
      throw new CsvError(this.#rowLine, rule);
    }
    this.#add(character);
    return null;
  }

  #add(character: string): void {
    const isQuote = character === '"';
    if (this.#place === 'quoted') {
      if (isQuote) this.#place = 'closed';
      else this.#cell += character;
    } else if (character === this.#separator) {
      this.#endCell();
    } else if (isQuote && this.#place !== 'plain') {
      // Two quotes in a quoted cell are one.
      if (this.#place === 'closed') this.#cell += character;
      this.#place = 'quoted';
    } else if (this.#place === 'closed') {
      if (character.trim() === '') return;
      throw new CsvError(
        this.#rowLine,
        'text follows a closing quote; write a quote in a cell as two quotes.',
      );
    } else {
      this.#cell += character;
      this.#place = 'plain';
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'start';
  }

  #endRow(): CsvRow {
    this.#endCell();
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#length = 0;
    this.#rowLine = this.line;
    return row;
  }
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const countOf = (separator: string) => first.split(separator).length;
  return separators.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
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
  for await (const { line, cells } of readCsv(chunks)) {
    if (cells.every((cell) => cell.trim() === '')) continue;
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

function columnsOf<Column extends string>(
  line: number,
  cells: readonly string[],
  {
    required,
    optional,
  }: { readonly required: readonly Column[]; readonly optional: readonly Column[] },
): readonly Column[] {
  const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, '');
  const known = new Map([...required, ...optional].map((name) => [plain(name), name]));
  const all = [...known.values()].join(', ');
  const names = cells.map((cell) => {
    const name = known.get(plain(cell));
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
