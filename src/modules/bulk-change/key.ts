import { perRequest } from '../../scope/keys.ts';
import { jobReads } from '../job/reads.ts';
import { approvalGate } from '../mutation/approval-gate.ts';
import { filterResolver } from '../portfolio/filter-resolver.ts';
import { createBulkChangeService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported function.

export const bulkChanges = perRequest('bulkChanges', ({ tenant, facts, loaders, use }) => {
  const { caller, idempotencyKey } = facts;
  const { list } = loaders.domains;
  const [reads, resolveFilter] = [use(jobReads), use(filterResolver)];
  const request = { caller, idempotencyKey, list, jobReads: reads, resolveFilter };
  return createBulkChangeService({ ...tenant, ...request, approvals: use(approvalGate) });
});
