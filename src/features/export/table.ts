import { type FieldResult, valueOr } from '../../kernel/faults.ts';
import type { Decimal } from '../../kernel/money.ts';
import type { Clock } from '../../lib/clock.ts';
import { withoutFormula } from '../../lib/csv.ts';
import { inParts } from '../../lib/slices.ts';

/** Texts come from the upstream or from callers. The gateway itself writes all other values. */
export type Cell = string | number | boolean | Date | Decimal | readonly string[] | null;

/** The columns of a list by name, in their order. */
export type TableColumns<Row> = Readonly<Record<string, (row: Row) => FieldResult<Cell>>>;

/** Columns that have the values of the members of their names. */
export const plain = <Row>(...names: readonly PlainName<Row>[]): TableColumns<Row> =>
  Object.fromEntries(names.map((name) => [name, (row) => row[name] as FieldResult<Cell>]));

type PlainName<Row> = {
  [Name in keyof Row]: Row[Name] extends FieldResult<Cell> ? Name & string : never;
}[keyof Row];

export interface Table {
  readonly columns: readonly string[];
  /** A cell that cannot be read is null. */
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** No value is older. */
  readonly asOf: Date;
  /** Whether the list has every row that exists. */
  readonly complete: boolean;
  /** What completes the list, in one sentence for a person; absent when it is complete, or when that is not known. */
  readonly nextStep?: string | null;
}

export function createTable<Row>(
  columns: TableColumns<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  facts: Pick<Table, 'asOf' | 'complete' | 'nextStep'>,
): Table {
  const reads = Object.values(columns);
  const cells = async function* () {
    for await (const row of rows) yield reads.map((read) => valueOr(read(row), null));
  };
  return { ...facts, columns: Object.keys(columns), rows: cells() };
}

export interface Format {
  readonly mediaType: string;
  /** The line before the rows; empty without one. */
  readonly head: (columns: readonly string[]) => string;
  readonly line: (cells: readonly Cell[], columns: readonly string[]) => string;
}

/** Quoted for the other separators of spreadsheets too, behind which a formula could begin, and for blanks at the end, which are trimmed. */
const quoteCell = (cell: string): string =>
  /[",;\t\r\n]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** A record of RFC 4180 with its line break. */
export const csvRecord = (cells: readonly string[]): string => `${cells.map(quoteCell).join()}\r\n`;

/** RFC 4180, in UTF-8. */
export const csv: Format = {
  mediaType: 'text/csv; charset=utf-8',
  head: csvRecord,
  line: (cells) => csvRecord(cells.map(csvText)),
};

function csvText(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'string') return withoutFormula(cell);
  return Array.isArray(cell) ? withoutFormula(cell.join(' ')) : String(cell);
}

export const jsonLines: Format = {
  mediaType: 'application/jsonl',
  head: () => '',
  line: (cells, columns) =>
    `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, cells[at]])))}\n`,
};

export const textOf = (
  table: Table,
  format: Format,
  clock: Pick<Clock, 'monotonicMs' | 'wait'>,
): AsyncGenerator<string, void> => inParts(linesOf(table, format), clock);

async function* linesOf({ columns, rows }: Table, { head, line }: Format) {
  yield head(columns);
  for await (const cells of rows) yield line(cells, columns);
}
