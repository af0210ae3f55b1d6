import { mayAny, mayKnowCosts } from '../../kernel/caller.ts';
import { globalId, shownKey } from '../../kernel/ids.ts';
import { shownState } from '../../kernel/purchase-states.ts';
import { withoutAmounts, withoutTotals } from '../../kernel/visibility.ts';
import { shownJobId } from '../../modules/purchase/parts.ts';
import { purchases } from '../../modules/purchase/service.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Scope } from '../../scope/scope.ts';
import type { ExportParameters } from './parameters.ts';
import { createTable, plain, type Table, type TableColumns } from './table.ts';

/** What the customer pays. */
export const priceOf = ({ retail, cost }: PurchaseRecord) => retail?.price ?? cost;

/** The fields of `Purchase` in the graph. */
function columnsOf({ use, caller, hidesCosts, hidesTotals }: Scope): TableColumns<PurchaseRecord> {
  const { viewOf, transferProgressOf } = use(purchases);
  const errorOf = (purchase: PurchaseRecord) => {
    const [fault] = viewOf(purchase).errors;
    return fault && hidesTotals ? withoutTotals(fault) : fault;
  };
  const seesCallers = mayAny(caller, ['ops']);
  const seesCosts = mayKnowCosts(caller);
  return {
    id: ({ id }) => globalId('Purchase', id),
    ...plain('kind', 'domain', 'period'),
    state: (purchase) => shownState(viewOf(purchase).state),
    price: (purchase) => priceOf(purchase)?.amount ?? null,
    currency: (purchase) => priceOf(purchase)?.currency ?? null,
    caller: (purchase) => (seesCallers ? purchase.caller : null),
    key: ({ key }) => shownKey(key),
    createdAt: ({ claimedAt }) => claimedAt,
    settledAt: ({ settledAt }) => settledAt,
    errorCode: (purchase) => errorOf(purchase)?.code ?? null,
    executed: (purchase) => errorOf(purchase)?.executed ?? null,
    refunded: (purchase) => transferProgressOf(purchase)?.refunded ?? null,
    cost: ({ cost }) => (seesCosts ? (cost?.amount ?? null) : null),
    costCurrency: ({ cost }) => (seesCosts ? (cost?.currency ?? null) : null),
    orderId: ({ orderId }) => orderId && use(shownJobId)(orderId),
    orderLine: ({ orderLine }) => orderLine,
    upstreamCode: (purchase) => errorOf(purchase)?.upstream?.code || null,
    upstreamMessage(purchase) {
      const message = errorOf(purchase)?.upstream?.message || null;
      return message && hidesCosts ? withoutAmounts(message) : message;
    },
    customer: ({ customer }) => customer,
  };
}

/** The visible purchases, newest first. They are read while the file is sent. */
export async function exportPurchases(
  scope: Scope,
  { customer }: ExportParameters,
): Promise<Table> {
  const { use, clock } = scope;
  const rows = use(purchases).all(customer === null ? {} : { customer });
  return createTable(columnsOf(scope), rows, { asOf: clock.now(), complete: true });
}
