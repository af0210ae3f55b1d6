import type { Fault } from '../../kernel/faults.ts';
import { lazy } from '../../lib/lazy.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { perRequest, requestHook } from '../../scope/scope.ts';
import { perTenant, settings, signal, tenantHook } from '../../scope/tenant.ts';
import { domainReads, uncancellable } from '../domain/loader.ts';
import { holds } from '../job/holds.ts';
import { openReads } from '../job/parts.ts';
import { gate } from '../mutation/gate.ts';
import { type SettleDeps, type SettlingTenant, transferPace } from './conclude.ts';
import type { PurchaseFlowDeps } from './flow.ts';
import { createReconciler } from './reconciler.ts';
import { valueStore } from './registration-values.ts';
import { createSettlementNotifier } from './settlement-notifier.ts';
import { createSightings } from './sightings.ts';
import { spendObserver } from './spend-observer.ts';

/** A purchase has settled, whichever process has settled it. */
export const settledPurchases = signal<PurchaseRecord>('settledPurchases');

/** How often a transfer in progress is read. */
export const paceOfTransfers = perTenant('paceOfTransfers', () => transferPace);

const sightings = perTenant('sightings', ({ facts }) => createSightings(facts.clock));

export const settlementNotifier = perTenant('settlementNotifier', ({ facts, use }) => {
  const created = createSettlementNotifier(facts);
  use(settledPurchases).listen(({ id }) => void created.check(id));
  return created;
});

export const settlingTenant = perTenant(
  'settlingTenant',
  ({ facts, use, invalidate }) =>
    ({
      ...facts,
      sightings: use(sightings),
      pace: use(paceOfTransfers),
      invalidate,
    }) satisfies SettlingTenant,
);

/** Settles open purchases in the background. */
export const reconciler = perTenant('reconciler', ({ use }) =>
  createReconciler({
    ...use(settlingTenant),
    openReads: use(openReads),
    everyMs: use(settings).reconcileEveryMs,
  }),
);

/** Reads that settle a purchase are never refused because the request has used up its call budget. */
export const settling = perRequest('settling', ({ use, tenant, wholeAccount, writeOptions }) => {
  const options = { ...writeOptions, bypassesBudget: true };
  return {
    ...use(settlingTenant),
    ...tenant,
    domains: uncancellable(wholeAccount.reads.use(domainReads), options),
    /** The balance after a failed transfer, read once for all purchases of the request. */
    readReseller: lazy(() => tenant.domainApi.resellerdetails({}, options)),
  } satisfies SettleDeps;
});

/** Why a caller may not make a purchase without an order; null when it may. */
export const refusalAlone = requestHook<() => Fault | null>('refusalAlone', {
  byDefault: () => () => null,
});

/** For the purchases of a request. */
export const purchasing = perRequest(
  'purchasing',
  ({ use, tenant, facts, fresh: reads, wholeAccount, writeOptions, invalidate }) => {
    const { caller, idempotencyKey } = facts;
    return {
      ...use(settling),
      domainApi: wholeAccount.domainApi,
      spendObserver: use(spendObserver),
      gate: use(gate),
      holds: use(holds),
      valueStore: use(valueStore),
      refusalAlone: use(refusalAlone),
      options: writeOptions,
      limits: tenant.limitsOf(caller),
      ...{ invalidate, idempotencyKey, reads, caller },
    } satisfies PurchaseFlowDeps;
  },
);

/** The id that clients know of the job that made a purchase. */
export const shownJobId = tenantHook<(id: string) => string>('shownJobId', () => (id) => id);
