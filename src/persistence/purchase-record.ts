import type { Executed, FaultCode } from '../kernel/faults.ts';
import { type ExchangeRate, type Money, money, type RetailPrice } from '../kernel/money.ts';
import type { PurchaseState } from '../kernel/purchase-states.ts';
import { spendUnits } from '../kernel/spend-limits.ts';
import { fromStoredJson } from '../kernel/stored-json.ts';
import { type PurchaseKind, purchaseClaims, purchasesTable } from './core-tables.ts';
import type { RecordOf, RowOf } from './table.ts';
import { type Database, rowsOf } from './tables.ts';

export type { PurchaseKind, PurchaseState };

type PurchaseRow = RowOf<typeof purchasesTable>;

/** Why a purchase ended, or why it is still open. */
export interface PurchaseFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly executed: Executed;
  readonly upstream: { readonly code: string; readonly message: string } | null;
}

export interface PurchaseRecord extends RecordOf<typeof purchasesTable> {
  /** What the registrar is expected to charge. */
  readonly cost: Money | null;
  /** What the customer pays, which never changes; null when that is the cost. */
  readonly retail: RetailPrice | null;
  /** The expected balance afterwards, in the currency of the cost, computed before sending. */
  readonly balanceAfter: Money | null;
  readonly fault: PurchaseFault | null;
}

export interface Claim
  extends RecordOf<typeof purchaseClaims>,
    Pick<PurchaseRecord, 'cost' | 'retail' | 'balanceAfter'> {}

/** The row of a new purchase, without the number that it gets when it is written. The other columns are null. */
export const claimRow = (claim: Claim, state: 'CLAIMED' | 'HELD' = 'CLAIMED') => {
  const { cost, retail, balanceAfter, ...values } = claim;
  return {
    ...purchaseClaims.row(values),
    ...purchasesTable.row({
      costAmount: cost?.amount.toString() ?? null,
      costCurrency: cost?.currency ?? null,
      retailAmount: retail?.price.amount.toString() ?? null,
      retailCurrency: retail?.price.currency ?? null,
      retailRule: retail?.rule ?? null,
      retailRate: retail?.rate ?? null,
      balanceAfter: balanceAfter?.amount.toString() ?? null,
      spend: cost && spendUnits(cost),
      state,
    }),
  };
};

/** The columns of a fault, all null where there is none. */
export const faultColumns = (fault: PurchaseFault | null) => ({
  fault_code: fault?.code ?? null,
  fault_message: fault?.message ?? null,
  fault_executed: fault?.executed ?? null,
  fault_upstream_code: fault?.upstream?.code ?? null,
  fault_upstream_message: fault?.upstream?.message ?? null,
});

/** @throws Fault `INVALID_INPUT` when a time or a price in the row is not what this code writes. */
export const purchaseOf = (row: PurchaseRow): PurchaseRecord => ({
  ...purchasesTable.record(row),
  cost: moneyOf(row.cost_amount, row.cost_currency),
  retail: retailOf(row),
  balanceAfter: moneyOf(row.balance_after, row.cost_currency),
  fault: faultOf(row),
});

/** Null when either is. */
export const moneyOf = (amount: string | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : money(amount, currency);

function retailOf(row: PurchaseRow): RetailPrice | null {
  const {
    retail_amount: amount,
    retail_currency: currency,
    retail_rule: rule,
    retail_rate: rate,
  } = row;
  const price = moneyOf(amount, currency);
  if (!price || rule === null) return null;
  return { price, rule, rate: rate === null ? null : fromStoredJson<ExchangeRate>(rate) };
}

function faultOf(row: PurchaseRow): PurchaseFault | null {
  const { fault_code: code, fault_message: message, fault_executed: executed } = row;
  if (code === null || message === null || executed === null) return null;
  const { fault_upstream_code: upstreamCode, fault_upstream_message: upstreamMessage } = row;
  const upstream =
    upstreamCode === null || upstreamMessage === null
      ? null
      : { code: upstreamCode, message: upstreamMessage };
  return { code, message, executed, upstream };
}

export const purchasesOf = (db: Database, account: string) =>
  rowsOf(db, 'purchases', account).selectAll();
