import { holds } from '../../modules/job/holds.ts';
import { startJobs } from '../../modules/job/parts.ts';
import { refusalAlone } from '../../modules/purchase/parts.ts';
import { type Fill, fill } from '../../scope/parts.ts';
import { perRequest } from '../../scope/scope.ts';
import { perTenant, settings, stored } from '../../scope/tenant.ts';
import { orders } from '../order/parts.ts';
import { orderTerms } from '../order/terms.ts';
import { createPaymentHolds, ofOrder } from './holds.ts';
import { startPaymentLoop } from './loop.ts';
import { createPaymentService } from './service.ts';
import { paymentSettings } from './settings.ts';
import { createPaymentStore } from './store.ts';
import { createPaymentTerms, refusalOf } from './terms.ts';

// In a file of its own, because the planted bugs of the simulation replace the imported functions.

export const paymentStore = stored('payments', createPaymentStore);

export const payments = perRequest('payments', ({ tenant, facts, stored, store, use }) =>
  createPaymentService({
    ...tenant,
    ...facts,
    stored,
    payments: store(paymentStore),
    orders: use(orders),
    startJobs: use(startJobs),
  }),
);

export const paymentLoop = perTenant('paymentLoop', ({ facts, store, use, reports }) =>
  startPaymentLoop({
    ...facts,
    payments: store(paymentStore),
    holds: use(holds),
    startJobs: use(startJobs),
    onError: reports('the payments of orders cannot be followed'),
  }),
);

export const paymentFills: readonly Fill[] = [
  fill(holds, ({ facts, store, use }) => [
    createPaymentHolds({
      ...facts,
      payments: store(paymentStore),
      maxCostIncrease: paymentSettings.of(use(settings)).MAX_COST_INCREASE,
    }),
  ]),
  fill(orderTerms, ({ tenant, facts, stored, store, use }) => {
    const { account } = tenant;
    const payments = store(paymentStore);
    const byId = stored.batched(async (ids) => {
      const rows = await payments.byIds(account, ids);
      return ids.flatMap((id) => ofOrder(rows, id) ?? []);
    });
    const required = paymentSettings.of(use(settings)).PAYMENT_REQUIRED;
    return createPaymentTerms({
      ...{ ...tenant, ...facts, payments, byId },
      paymentRequired: required,
      wake: () => use(paymentLoop).wake(),
    });
  }),
  fill(refusalAlone, ({ caller, use }) => {
    const required = paymentSettings.of(use(settings)).PAYMENT_REQUIRED;
    return () => refusalOf(required, caller);
  }),
];
