import { holds } from '../../modules/job/holds.ts';
import { startJobs } from '../../modules/job/parts.ts';
import { gate } from '../../modules/mutation/gate.ts';
import { type Fill, fill } from '../../scope/parts.ts';
import { perRequest } from '../../scope/scope.ts';
import { perTenant, settings, stored, tenantHook } from '../../scope/tenant.ts';
import { createApprovalGate } from './gate.ts';
import { createApprovalHolds } from './holds.ts';
import { startApprovalLoop } from './loop.ts';
import type { ApprovalRules } from './rules.ts';
import { createApprovalService } from './service.ts';
import { approvalSettings } from './settings.ts';
import { createApprovalStore } from './store.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported function.

export const approvalStore = stored('approvals', createApprovalStore);

/** The approval rules in force; null when nothing needs an approval. */
export const approvalRules = tenantHook<() => ApprovalRules | null>(
  'approvalRules',
  () => () => null,
);

export const approvals = perRequest('approvals', ({ tenant, facts, stored, store, use }) =>
  createApprovalService({
    ...tenant,
    ...facts,
    approvals: store(approvalStore),
    stored,
    approvalRules: use(approvalRules),
    startJobs: use(startJobs),
  }),
);

export const approvalFills: readonly Fill[] = [
  fill(gate, ({ tenant, facts, store, use }) =>
    createApprovalGate({
      ...tenant,
      ...facts,
      approvals: store(approvalStore),
      approvalRules: use(approvalRules),
    }),
  ),
  fill(holds, ({ facts, store, use }) => [
    createApprovalHolds({
      ...facts,
      approvals: store(approvalStore),
      approvalRules: use(approvalRules),
    }),
  ]),
];

/** Ends approvals that have expired. */
export const approvalLoop = perTenant('approvalLoop', ({ facts, store, use, reports }) => {
  return startApprovalLoop({
    ...facts,
    approvals: store(approvalStore),
    startJobs: use(startJobs),
    hasRules: approvalSettings.of(use(settings)).APPROVALS_FILE !== undefined,
    onError: reports('approvals cannot be ended'),
  });
});
