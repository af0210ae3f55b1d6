import { globalId } from '../../kernel/global-id.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Scope } from '../scope.ts';
import { createTable, type Table, type TableColumns } from './table.ts';

/** The fields of `Purchase` in the graph. */
function columnsOf({ services, caller }: Scope): TableColumns<PurchaseRecord> {
  const { viewOf, transferProgressOf } = services.purchases;
  const errorOf = (purchase: PurchaseRecord) => viewOf(purchase).errors[0];
  const seesCallers = caller.scopes.has('ops');
  return {
    id: ({ id }) => globalId('Purchase', id),
    kind: ({ kind }) => kind,
    domain: ({ domain }) => domain,
    period: ({ period }) => period,
    state: (purchase) => viewOf(purchase).state,
    price: ({ price }) => price?.amount ?? null,
    currency: ({ price }) => price?.currency ?? null,
    caller: (purchase) => (seesCallers ? purchase.caller : null),
    key: ({ key }) => key,
    createdAt: ({ claimedAt }) => claimedAt,
    settledAt: ({ settledAt }) => settledAt,
    errorCode: (purchase) => errorOf(purchase)?.code ?? null,
    executed: (purchase) => errorOf(purchase)?.executed ?? null,
    refunded: (purchase) => transferProgressOf(purchase)?.refunded ?? null,
    orderId: ({ orderId }) => orderId && globalId('Order', orderId),
    orderLine: ({ orderLine }) => orderLine,
    upstreamCode: (purchase) => errorOf(purchase)?.upstream?.code || null,
    upstreamMessage: (purchase) => errorOf(purchase)?.upstream?.message || null,
  };
}

/** The visible purchases, newest first. They are read while the file is sent. */
export const exportPurchases = async (scope: Scope): Promise<Table> =>
  createTable(columnsOf(scope), scope.services.purchases.all(), {
    asOf: scope.clock.now(),
    complete: true,
  });
