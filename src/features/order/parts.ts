import { perRequest } from '../../scope/scope.ts';
import { perTenant } from '../../scope/tenant.ts';
import { buyingTenant } from '../../modules/purchase-job/parts.ts';
import { jobProgress, startJobs } from '../../modules/job/parts.ts';
import { jobReads } from '../../modules/job/reads.ts';
import { purchasing } from '../../modules/purchase/parts.ts';
import { createLineRunner } from './run-line.ts';
import { createOrderService } from './service.ts';
import { orderTerms } from './terms.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported functions.

export const orders = perRequest('orders', ({ use }) =>
  createOrderService({
    ...use(purchasing),
    jobProgress: use(jobProgress),
    jobReads: use(jobReads),
    startJobs: use(startJobs),
    terms: use(orderTerms),
  }),
);

/** Buys the lines of orders. */
export const lineRunner = perTenant('lineRunner', ({ use }) => createLineRunner(use(buyingTenant)));
