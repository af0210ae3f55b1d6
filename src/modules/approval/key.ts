import { perRequest } from '../../scope/keys.ts';
import { approvalGate } from '../mutation/approval-gate.ts';
import { createApprovalGate } from './gate.ts';
import { createApprovalService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported function.

export const approvals = perRequest('approvals', ({ tenant, facts, stored }) =>
  createApprovalService({ ...tenant, ...facts, stored }),
);

approvalGate.fill(({ tenant, facts }) => createApprovalGate({ ...tenant, ...facts }));
