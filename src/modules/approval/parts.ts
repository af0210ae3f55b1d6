import type { ApprovalRules } from '../../kernel/approval-rules.ts';
import { eventLog } from '../../scope/event-log.ts';
import { type Fill, fill } from '../../scope/keys.ts';
import { perRequest } from '../../scope/scope.ts';
import { settings } from '../../scope/settings.ts';
import { given, perTenant } from '../../scope/tenant.ts';
import { holds } from '../job/holds.ts';
import { startJobs } from '../job/parts.ts';
import { gate } from '../mutation/gate.ts';
import { createApprovalGate } from './gate.ts';
import { createApprovalHolds } from './holds.ts';
import { startApprovalLoop } from './loop.ts';
import { createApprovalService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported function.

/** The approval rules in force; null when nothing needs an approval. */
export const approvalRules = given<() => ApprovalRules | null>('approvalRules');

export const approvals = perRequest('approvals', ({ tenant, facts, stored, use }) =>
  createApprovalService({
    ...tenant,
    ...facts,
    approvals: tenant.journal.approvals,
    stored,
    approvalRules: use(approvalRules),
    startJobs: use(startJobs),
  }),
);

export const approvalFills: readonly Fill[] = [
  fill(gate, ({ tenant, facts, use }) =>
    createApprovalGate({
      ...tenant,
      ...facts,
      approvals: tenant.journal.approvals,
      approvalRules: use(approvalRules),
    }),
  ),
  fill(holds, ({ facts }) => createApprovalHolds({ ...facts, approvals: facts.journal.approvals })),
];

/** Ends approvals that have expired. */
export const approvalLoop = perTenant('approvalLoop', ({ facts, use, reports }) => {
  const { file } = use(settings).approvals;
  return startApprovalLoop({
    ...facts,
    approvals: facts.journal.approvals,
    events: use(eventLog),
    startJobs: use(startJobs),
    hasRules: file !== undefined,
    onError: reports('approvals cannot be ended'),
  });
});
