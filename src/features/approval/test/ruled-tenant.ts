import { createTenant } from '../../../../test/support/modules/purchase-tenant.ts';
import { fill } from '../../../scope/parts.ts';
import { approvalFills, approvalRules } from '../parts.ts';
import { type ApprovalOperation, type ApprovalRules, createApprovalRules } from '../rules.ts';

/** A tenant with approvals, which nothing needs at first. */
export async function createRuledTenant() {
  let rules: ApprovalRules | null = null;
  const tenant = await createTenant({}, [...approvalFills, fill(approvalRules, () => () => rules)]);
  return {
    ...tenant,
    /** These operations need an approval from now on. */
    needApprovals(operations: readonly ApprovalOperation[]): void {
      const rule = { position: 1, operations, when: {}, expiresAfterMs: 3_600_000 };
      rules = createApprovalRules([rule]);
    },
  };
}
