import { perTenant } from '../../scope/tenant.ts';
import { holds } from '../job/holds.ts';
import { jobRecorder, openReads } from '../job/parts.ts';
import { settlingTenant } from '../purchase/parts.ts';
import { spendObserver } from '../purchase/spend-observer.ts';
import type { BuyingTenant } from './buyer.ts';
import { heldPurchases } from './held-purchase.ts';
import { createPurchaseRunner } from './run-item.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported functions.

export const buyingTenant = perTenant(
  'buyingTenant',
  ({ use }): BuyingTenant => ({
    ...use(settlingTenant),
    spendObserver: use(spendObserver),
    openReads: use(openReads),
    recorderOf: use(jobRecorder),
    holds: use(holds),
  }),
);

/** Makes single purchases that were held. */
export const purchaseRunner = perTenant('purchaseRunner', ({ use }) =>
  createPurchaseRunner(use(buyingTenant), heldPurchases),
);
