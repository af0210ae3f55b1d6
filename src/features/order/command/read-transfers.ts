import type { TransferLineInput } from '../../../../client/operations.ts';
import type { RefusedRows } from '../../../console/program.ts';
import { type DomainName, parseDomainName } from '../../../kernel/domain-name.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import { type CsvRecord, readCsvRecords } from '../../../lib/csv.ts';
import { createChecks } from '../../../modules/mutation/checks.ts';

type Column = 'domain' | 'code' | 'customer';

export interface FileTransfer {
  /** Of the file, from 1. */
  readonly line: number;
  readonly input: TransferLineInput;
}

/** The transfers of a CSV file, without the rows that are refused. @throws CsvError */
export async function readTransfers(
  chunks: AsyncIterable<Uint8Array>,
  refused: RefusedRows,
): Promise<readonly FileTransfer[]> {
  const transfers: FileTransfer[] = [];
  const lineOf = new Map<DomainName, number>();
  const columns = { required: ['domain', 'code'], optional: ['customer'] } as const;
  for await (const record of readCsvRecords<Column>(chunks, columns)) {
    const { line } = record;
    const checks = createChecks();
    const input = inputOf(record, checks, lineOf);
    if (checks.faults.length > 0) refused.add(line, checks.faults);
    else transfers.push({ line, input });
  }
  return transfers;
}

function inputOf(
  { line, values: { domain = '', code = '', customer } }: CsvRecord<Column>,
  checks: ReturnType<typeof createChecks>,
  lineOf: Map<DomainName, number>,
): TransferLineInput {
  checks.check(['domain'], () => {
    const name = parseDomainName(domain);
    const first = lineOf.get(name);
    if (first !== undefined) throw invalidInput(`${name} is in line ${first} already.`);
    lineOf.set(name, line);
  });
  if (code === '') checks.add(invalidInput('The auth code is missing.', { path: ['code'] }));
  return { domain, authCode: code, ...(customer !== undefined && { customer }) };
}
