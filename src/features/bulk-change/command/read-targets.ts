import type { BulkChangeItemInput } from '../../../../client/operations.ts';
import { createNameCheck } from '../../../console/file-rows.ts';
import type { RefusedRows } from '../../../console/program.ts';
import { type CsvRecord, readCsvRecords } from '../../../lib/csv.ts';
import { type Checks, createChecks } from '../../../modules/mutation/checks.ts';
import { checkNameServers } from '../../../modules/name-server/rules.ts';

type Column = 'domain' | 'nameServers';
const columns: readonly Column[] = ['domain', 'nameServers'];

/** The domains of a CSV file with their name servers, without the rows that are refused. @throws CsvError */
export async function readTargets(
  chunks: AsyncIterable<Uint8Array>,
  refused: RefusedRows,
): Promise<readonly BulkChangeItemInput[]> {
  const items: BulkChangeItemInput[] = [];
  const checkName = createNameCheck();
  for await (const record of readCsvRecords(chunks, { required: columns, optional: [] })) {
    const checks = createChecks();
    const item = readItem(checks, record, checkName);
    if (checks.faults.length > 0) refused.add(record.line, checks.faults);
    else items.push(item);
  }
  return items;
}

function readItem(
  checks: Checks,
  { line, values: { domain = '', nameServers = '' } }: CsvRecord<Column>,
  checkName: ReturnType<typeof createNameCheck>,
): BulkChangeItemInput {
  checks.check(['domain'], () => checkName(line, domain));
  const ofHosts = createChecks();
  const hosts = checkNameServers(ofHosts, nameServers.split(/[\s,;|]+/).filter(Boolean));
  for (const fault of ofHosts.faults) checks.add(fault.with({ path: ['nameServers'] }));
  return { domain, nameServers: hosts };
}
