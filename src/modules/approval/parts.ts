import type { ApprovalRules } from '../../kernel/approval-rules.ts';
import { type Fill, fill } from '../../scope/keys.ts';
import { perRequest } from '../../scope/scope.ts';
import { settings } from '../../scope/settings.ts';
import { given, perTenant } from '../../scope/tenant.ts';
import { startJobs } from '../job/parts.ts';
import { approvalGate } from '../mutation/approval-gate.ts';
import { createApprovalGate } from './gate.ts';
import { startApprovalLoop } from './loop.ts';
import { createApprovalService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported function.

/** The approval rules in force; null when nothing needs an approval. */
export const approvalRules = given<() => ApprovalRules | null>('approvalRules');

export const approvals = perRequest('approvals', ({ tenant, facts, stored, use }) =>
  createApprovalService({
    ...tenant,
    ...facts,
    stored,
    approvalRules: use(approvalRules),
    startJobs: use(startJobs),
  }),
);

export const approvalFills: readonly Fill[] = [
  fill(approvalGate, ({ tenant, facts, use }) =>
    createApprovalGate({ ...tenant, ...facts, approvalRules: use(approvalRules) }),
  ),
];

/** Ends approvals that have expired. */
export const approvalLoop = perTenant('approvalLoop', ({ facts, use, reports }) => {
  const {
    approvals: { file },
    events,
  } = use(settings);
  return startApprovalLoop({
    ...facts,
    startJobs: use(startJobs),
    hasRules: file !== undefined,
    storesEvents: events.everyMs > 0,
    onError: reports('approvals cannot be ended'),
  });
});
