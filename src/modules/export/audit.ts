import type { AuditEntry } from '../audit/service.ts';
import type { Scope } from '../scope.ts';
import { createTable, type Table, type TableColumns } from './table.ts';

/** The fields of `AuditEntry` in the graph. */
const columns: TableColumns<AuditEntry> = {
  position: ({ position }) => position,
  startedAt: ({ startedAt }) => startedAt,
  endedAt: ({ endedAt }) => endedAt,
  operation: ({ operation }) => operation,
  domain: ({ domain }) => domain,
  caller: ({ caller }) => caller,
  customer: ({ customer }) => customer,
  tenant: ({ tenant }) => tenant,
  requestId: ({ requestId }) => requestId,
  address: ({ address }) => address,
  inputHash: ({ inputHash }) => inputHash,
  outcome: ({ outcome }) => outcome,
  upstreamCalls: ({ upstreamCalls }) => upstreamCalls,
  hash: ({ hash }) => hash,
};

/** The audit log, newest first. It is read while the file is sent. */
export const exportAudit = async ({ services, clock }: Scope): Promise<Table> =>
  createTable(columns, services.audit.all(), { asOf: clock.now(), complete: true });
