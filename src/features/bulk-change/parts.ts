import { writeLog } from '../../modules/domain/write.ts';
import { holds } from '../../modules/job/holds.ts';
import { jobProgress, jobRecorder, openReads, startJobs } from '../../modules/job/parts.ts';
import { jobReads } from '../../modules/job/reads.ts';
import { gate } from '../../modules/mutation/gate.ts';
import { perRequest } from '../../scope/scope.ts';
import { perTenant } from '../../scope/tenant.ts';
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
    gate: use(gate),
    holds: use(holds),
    jobProgress: use(jobProgress),
    jobReads: use(jobReads),
    startJobs: use(startJobs),
  });
});

/** Changes the domains of bulk changes. */
export const changeRunner = perTenant('changeRunner', ({ facts, use, invalidate }) =>
  createChangeRunner({
    ...facts,
    recorderOf: use(jobRecorder),
    holds: use(holds),
    openReads: use(openReads),
    writeLog: use(writeLog),
    invalidate,
  }),
);
