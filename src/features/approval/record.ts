import type { Money } from '../../kernel/money.ts';
import { moneyOf } from '../../persistence/purchase-record.ts';
import type { RecordOf, RowOf } from '../../persistence/table.ts';
import { approvalsTable } from './table.ts';

export interface Approval extends RecordOf<typeof approvalsTable> {
  /** The highest cost; null when it is unknown, in several currencies, or when there is none. */
  readonly cost: Money | null;
  /** What the customer pays. */
  readonly price: Money | null;
}

/** A request for the decision of another caller. */
export type NewApproval = Omit<Approval, 'state' | 'decidedAt' | 'decidedBy' | 'reason'>;

export const rowOf = (account: string, { cost, price, ...approval }: NewApproval) =>
  approvalsTable.row({
    ...approval,
    account,
    costAmount: cost?.amount.toString() ?? null,
    costCurrency: cost?.currency ?? null,
    priceAmount: price?.amount.toString() ?? null,
    priceCurrency: price?.currency ?? null,
    state: 'REQUESTED',
  });

/** @throws Fault `INVALID_INPUT` when a time or a price in the row is not what this code writes. */
export const approvalOf = (row: RowOf<typeof approvalsTable>): Approval => ({
  ...approvalsTable.record(row),
  cost: moneyOf(row.cost_amount, row.cost_currency),
  price: moneyOf(row.price_amount, row.price_currency),
});
