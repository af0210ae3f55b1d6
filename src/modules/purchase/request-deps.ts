import { lazy } from '../../lib/lazy.ts';
import { perRequest } from '../../scope/keys.ts';
import { uncancellable } from '../domain/loader.ts';
import { approvalGate } from '../mutation/approval-gate.ts';
import type { SettleDeps } from './conclude.ts';
import type { PurchaseFlowDeps } from './flow.ts';

/** Reads that settle a purchase are never refused because the request has used up its call budget. */
export const settling = perRequest('settling', ({ tenant, wholeAccount, writeOptions }) => {
  const options = { ...writeOptions, bypassesBudget: true };
  return {
    ...tenant,
    domains: uncancellable(wholeAccount.loaders.domains, options),
    /** The balance after a failed transfer, read once for all purchases of the request. */
    readReseller: lazy(() => tenant.domainApi.resellerdetails({}, options)),
  } satisfies SettleDeps;
});

/** For the purchases of a request. */
export const purchasing = perRequest(
  'purchasing',
  ({ use, tenant, facts, fresh: reads, wholeAccount, writeOptions, invalidate }) => {
    const { caller, idempotencyKey } = facts;
    return {
      ...use(settling),
      domainApi: wholeAccount.domainApi,
      approvals: use(approvalGate),
      options: writeOptions,
      limits: tenant.limitsOf(caller),
      ...{ invalidate, idempotencyKey, reads, caller },
    } satisfies PurchaseFlowDeps;
  },
);
