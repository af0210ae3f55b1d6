import type { BulkChangeItemInput } from '../../client/index.ts';
import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import { invalidInput } from '../kernel/faults.ts';
import { type CsvRecord, readCsvRecords } from '../lib/read-csv.ts';
import { createChecks } from '../modules/mutation/checks.ts';
import { checkNameServers } from '../modules/name-server/rules.ts';
import type { Reports } from './program.ts';

type Column = 'domain' | 'nameServers';
const columns: readonly Column[] = ['domain', 'nameServers'];

/** The domains of a CSV file with their name servers. Each row that is not valid is reported. @throws CsvError */
export async function readTargets(
  chunks: AsyncIterable<Uint8Array>,
  reports: Reports,
): Promise<readonly BulkChangeItemInput[]> {
  const items: BulkChangeItemInput[] = [];
  const lineOf = new Map<DomainName, number>();
  for await (const record of readCsvRecords(chunks, { required: columns, optional: [] })) {
    const item = reports.attempt(record.line, () => readItem(record, lineOf));
    if (item) items.push(item);
  }
  return items;
}

/** @throws Fault for a row that is not valid */
function readItem(
  { line, values: { domain: text = '', nameServers = '' } }: CsvRecord<Column>,
  lineOf: Map<DomainName, number>,
): BulkChangeItemInput {
  const domain = parseDomainName(text);
  const first = lineOf.get(domain);
  if (first !== undefined) throw invalidInput(`${domain} is in line ${first} already.`);
  lineOf.set(domain, line);
  const checks = createChecks();
  const hosts = checkNameServers(checks, nameServers.split(/[\s,;|]+/).filter(Boolean));
  const [fault] = checks.faults;
  if (fault) throw fault;
  return { domain, nameServers: hosts };
}
