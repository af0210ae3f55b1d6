import type { Scope } from '../../../scope/scope.ts';
import { auditLog } from '../../audit/service.ts';
import type { AuditEntry } from '../../audit/store.ts';
import { exportFiles } from '../files.ts';
import type { ExportParameters } from '../parameters.ts';
import { createTable, plain, type Table, type TableColumns } from '../table.ts';

/** The fields of `AuditEntry` in the graph. */
const columns: TableColumns<AuditEntry> = {
  ...plain('position', 'startedAt', 'endedAt', 'operation', 'domain', 'caller', 'customer'),
  ...plain('tenant', 'requestId', 'address', 'inputHash', 'outcome', 'upstreamCalls'),
  ...plain('refusals', 'hash'),
};

/** The audit log, newest first. It is read while the file is sent. */
async function exportAudit({ use, clock }: Scope, parameters: ExportParameters): Promise<Table> {
  const since = parameters.time('since')?.getTime() ?? -Infinity;
  const until = parameters.time('until')?.getTime() ?? Infinity;
  const isWithin = ({ startedAt }: AuditEntry) =>
    startedAt.getTime() >= since && startedAt.getTime() < until;
  const entries = async function* () {
    for await (const entry of use(auditLog).all()) if (isWithin(entry)) yield entry;
  };
  return createTable(columns, entries(), { asOf: clock.now(), complete: true });
}

exportFiles['audit.csv'] = {
  needed: ['audit:read'],
  upstreamCalls: 0,
  parameters: ['since', 'until'],
  open: exportAudit,
  with: 'audit',
};
