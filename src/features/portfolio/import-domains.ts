import type { RefusedRows } from '../../console/program.ts';
import type { NoteDomains } from '../../console/recorded-command.ts';
import { checkCustomer } from '../../kernel/caller.ts';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { checkLabel, type Label, maxLabels } from '../../kernel/label.ts';
import { CsvError, type CsvRow, columnKey, withoutBlankEnd } from '../../lib/csv.ts';
import { parseJson } from '../../lib/json.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { LedgerStore } from './ledger-store.ts';

interface ImportOptions extends Pick<TenantFacts, 'journal' | 'account'> {
  readonly ledger: Pick<LedgerStore, 'add'>;
  readonly now: () => Date;
  readonly note: NoteDomains;
  readonly refused: RefusedRows;
  readonly onProgress: (rows: number) => void;
}

export interface Imported {
  added: number;
  known: number;
  customers: number;
  labels: number;
}

/** Rows that are written together, so that a long file needs little memory. */
const rowsPerStep = 1_000;

/** A row that is valid. Blank cells change nothing. */
interface DomainRow {
  readonly domain: DomainName;
  readonly customer: string | null;
  readonly labels: readonly Label[];
  readonly line: number;
}

/** Adds the domains of a file, with their customers and labels. A row is imported as a whole or refused. */
export async function importDomains(
  rows: AsyncIterable<HeadedRow>,
  options: ImportOptions,
): Promise<Imported> {
  const { refused } = options;
  const imported = { added: 0, known: 0, customers: 0, labels: 0 };
  let columns: Columns = { domain: 0, customer: -1, labels: [], listed: -1, count: 1 };
  let step: DomainRow[] = [];
  let count = 0;
  for await (const { line, cells, header } of rows) {
    if (header) {
      columns = header;
      continue;
    }
    count += 1;
    const row = attempt(refused, line, () => readRow(columns, cells, line));
    if (row) step.push(row);
    if (step.length < rowsPerStep) continue;
    await write(step, options, imported);
    options.onProgress(count);
    step = [];
  }
  await write(step, options, imported);
  return imported;
}

/** The positions of the columns; -1 without one. */
interface Columns {
  readonly domain: number;
  readonly customer: number;
  readonly labels: readonly { readonly name: string; readonly at: number }[];
  /** The column of an export with all labels as JSON. */
  readonly listed: number;
  readonly count: number;
}

/** A row with text. `header` has the columns when it is the first row and names them. */
interface HeadedRow extends CsvRow {
  readonly header: Columns | null;
}

/** The rows without the blank ones. @throws CsvError for a first row whose columns are not clear */
export async function* headedRows(rows: AsyncIterable<CsvRow>): AsyncGenerator<HeadedRow, void> {
  let isFirst = true;
  for await (const { line, cells: all } of rows) {
    const cells = withoutBlankEnd(all);
    if (cells.length === 0) continue;
    yield { line, cells, header: isFirst ? columnsOf(cells, line) : null };
    isFirst = false;
  }
}

/** The names of the column with the domains; the first of them that a file has. */
const domainNames = ['domain', 'domainname', 'name', 'domains'];

/** The columns that the first row names; null for a list of domains alone. Other columns are ignored, such as those of an export. */
function columnsOf(cells: readonly string[], line: number): Columns | null {
  const names = cells.map(columnKey);
  const domain = names.indexOf(domainNames.find((name) => names.includes(name)) ?? '-');
  if (domain < 0) {
    if (cells.length === 1) return null;
    throw new CsvError(
      line,
      'no column is named "domain"; write the names of the columns in the first row.',
    );
  }
  const unclear = cells.find(
    (cell, at) => /^(?:customer.|label(?!s$|:))/.test(names[at] ?? '') && cell.trim() !== '',
  );
  if (unclear !== undefined) {
    const rule = `"${unclear.slice(0, 40)}" is no column; write "customer", or "label:<name>" for a label.`;
    throw new CsvError(line, rule);
  }
  const labels = cells.flatMap((cell, at) => {
    const [, name] = /^\s*label:\s*(.+?)\s*$/i.exec(cell) ?? [];
    return name === undefined ? [] : [{ name, at }];
  });
  const used = [
    ...names.filter((name) => name === 'customer' || name === 'labels'),
    ...labels.map(({ name }) => `label:${name}`),
  ];
  const repeated = used.find((name, at) => used.indexOf(name) < at);
  if (repeated) throw new CsvError(line, `the column "${repeated}" is named twice.`);
  const [customer, listed] = [names.indexOf('customer'), names.indexOf('labels')];
  return { domain, customer, labels, listed, count: cells.length };
}

/** @throws Fault for a row that is not valid */
function readRow(columns: Columns, cells: readonly string[], line: number): DomainRow {
  const cellAt = (at: number) => cells[at]?.trim() ?? '';
  if (cells.length > columns.count) {
    throw invalidInput(
      `The row has ${cells.length} cells, and the first row has ${columns.count}.`,
    );
  }
  const customer = cellAt(columns.customer);
  return {
    domain: parseDomainName(cellAt(columns.domain)),
    customer: customer === '' ? null : checkCustomer(customer),
    labels: [
      ...exportedLabels(cellAt(columns.listed)),
      ...columns.labels
        .map(({ name: label, at }) => ({ name: label, value: cellAt(at) }))
        .filter(({ value }) => value !== ''),
    ].map(checkLabel),
    line,
  };
}

/** The labels of a cell of an export: a JSON object. @throws Fault */
function exportedLabels(cell: string): readonly Label[] {
  if (cell === '') return [];
  const labels = parseJson(cell);
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw invalidInput('The column "labels" must have JSON, such as {"team":"blue"}.');
  }
  return Object.entries(labels).map(([name, value]) => ({ name, value: String(value) }));
}

function attempt<T>(refused: RefusedRows, line: number, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    refused.add(line, [error]);
    return null;
  }
}

async function write(
  step: readonly DomainRow[],
  { ledger, journal, account, now, note, refused }: ImportOptions,
  imported: Imported,
): Promise<void> {
  const { customers } = journal;
  const rows = await withFewLabels(step, { journal, account }, refused);
  const domains = [...new Set(rows.map(({ domain }) => domain))];
  const at = now();
  const added = await ledger.add(account, domains, { source: 'IMPORTED', at, dueAt: at });
  imported.added += added;
  imported.known += domains.length - added;

  // The last row of a domain counts.
  const assigned = new Map(
    rows.flatMap(({ domain, customer }) =>
      customer === null ? [] : [[domain, { domain, customer }]],
    ),
  );
  await customers.assignEach(account, [...assigned.values()], at);
  await note('setDomainCustomer', [...assigned.keys()]);
  imported.customers += assigned.size;
  const labels = new Map(
    rows.flatMap(({ domain, labels: some }) =>
      some.map((label) => [JSON.stringify([domain, label.name]), { domain, ...label }]),
    ),
  );
  await customers.label(account, [...labels.values()], at);
  await note('labelDomains', [...new Set([...labels.values()].map(({ domain }) => domain))]);
  imported.labels += labels.size;
}

/** The rows without those whose domain would have too many labels. */
async function withFewLabels(
  rows: readonly DomainRow[],
  { journal, account }: Pick<ImportOptions, 'journal' | 'account'>,
  refused: RefusedRows,
): Promise<readonly DomainRow[]> {
  const labelled = rows.filter(({ labels }) => labels.length > 0);
  const stored = await journal.customers.labels(
    account,
    labelled.map(({ domain }) => domain),
  );
  const namesOf = new Map<DomainName, ReadonlySet<string>>(
    [...Map.groupBy(stored, ({ domain }) => domain)].map(([domain, labels]) => [
      domain,
      new Set(labels.map(({ name }) => name)),
    ]),
  );
  return rows.filter(({ domain, labels, line }) =>
    attempt(refused, line, () => {
      const names = new Set([...(namesOf.get(domain) ?? []), ...labels.map(({ name }) => name)]);
      if (names.size > maxLabels) {
        const message = `A domain has at most ${maxLabels} labels; ${domain} would have ${names.size}.`;
        throw invalidInput(message);
      }
      namesOf.set(domain, names);
      return true;
    }),
  );
}
