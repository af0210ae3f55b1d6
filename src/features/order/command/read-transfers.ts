import type { TransferLineInput } from '../../../../client/operations.ts';
import { createNameCheck } from '../../../console/file-rows.ts';
import type { RefusedRows } from '../../../console/program.ts';
import { invalidInput } from '../../../kernel/faults.ts';
import { readCsvRecords } from '../../../lib/csv.ts';
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
  const checkName = createNameCheck();
  const columns = { required: ['domain', 'code'], optional: ['customer'] } as const;
  for await (const record of readCsvRecords<Column>(chunks, columns)) {
    const { line } = record;
    const checks = createChecks();
    const { domain = '', code = '', customer } = record.values;
    checks.check(['domain'], () => checkName(line, domain));
    if (code === '') checks.add(invalidInput('The auth code is missing.', { path: ['code'] }));
    if (checks.faults.length > 0) {
      refused.add(line, checks.faults);
      continue;
    }
    const input = { domain, authCode: code, ...(customer !== undefined && { customer }) };
    transfers.push({ line, input });
  }
  return transfers;
}
