import { perRequest } from '../../scope/scope.ts';
import { perTenant } from '../../scope/tenant.ts';
import { holds } from '../job/holds.ts';
import { jobAudit, jobProgress, openReads, startJobs } from '../job/parts.ts';
import { jobReads } from '../job/reads.ts';
import { purchasing, settlingTenant, spendEvents } from '../purchase/parts.ts';
import type { BuyingTenant } from './buyer.ts';
import { createLineRunner } from './run-line.ts';
import { createPurchaseRunner } from './run-purchase.ts';
import { createOrderService } from './service.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported functions.

export const orders = perRequest('orders', ({ use }) =>
  createOrderService({
    ...use(purchasing),
    jobProgress: use(jobProgress),
    jobReads: use(jobReads),
    startJobs: use(startJobs),
  }),
);

export const buyingTenant = perTenant(
  'buyingTenant',
  ({ use, invalidate }): BuyingTenant => ({
    ...use(settlingTenant),
    spendEvents: use(spendEvents),
    openReads: use(openReads),
    auditOf: use(jobAudit),
    holds: use(holds),
    invalidate,
  }),
);

/** Buys the lines of orders. */
export const lineRunner = perTenant('lineRunner', ({ use }) => createLineRunner(use(buyingTenant)));

/** Makes single purchases that were held. */
export const purchaseRunner = perTenant('purchaseRunner', ({ use }) =>
  createPurchaseRunner(use(buyingTenant)),
);
