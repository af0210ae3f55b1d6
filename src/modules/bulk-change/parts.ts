import { perRequest } from '../../scope/scope.ts';
import { perTenant } from '../../scope/tenant.ts';
import { writeLog } from '../domain/write-log.ts';
import { jobAudit, jobProgress, openReads, startJobs } from '../job/parts.ts';
import { jobReads } from '../job/reads.ts';
import { approvalGate } from '../mutation/approval-gate.ts';
import { filterResolver } from '../portfolio/filter-resolver.ts';
import { portfolioReads } from '../portfolio/parts.ts';
import { createChangeRunner } from './run-item.ts';
import { createBulkChangeService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported functions.

export const bulkChanges = perRequest('bulkChanges', ({ tenant, facts, use }) => {
  const { caller, idempotencyKey } = facts;
  return createBulkChangeService({
    ...tenant,
    caller,
    idempotencyKey,
    list: use(portfolioReads).list,
    resolveFilter: use(filterResolver),
    approvals: use(approvalGate),
    jobProgress: use(jobProgress),
    jobReads: use(jobReads),
    startJobs: use(startJobs),
  });
});

/** Changes the domains of bulk changes. */
export const changeRunner = perTenant('changeRunner', ({ facts, use, invalidate }) =>
  createChangeRunner({
    ...facts,
    auditOf: use(jobAudit),
    openReads: use(openReads),
    writeLog: use(writeLog),
    invalidate,
  }),
);
