import type { Insertable, Selectable } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import { parseInstant } from '../kernel/instant.ts';
import { type Money, money } from '../kernel/money.ts';
import type { PurchaseState } from '../kernel/purchase-states.ts';
import type { ExchangeRate, RetailPrice } from '../kernel/retail-price.ts';
import { spendUnits } from '../kernel/spend-limits.ts';
import { fromStoredJson, toStoredJson } from '../kernel/stored-json.ts';
import { type Database, type PurchaseKind, type PurchaseRow, timeOf, timeText } from './tables.ts';

export type { PurchaseKind, PurchaseState };

/** Why a purchase ended, or why it is still open. */
export interface PurchaseFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly executed: Executed;
  readonly upstream: { readonly code: string; readonly message: string } | null;
}

export interface Claim {
  readonly id: string;
  /** The tenant that pays. */
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  /** The customer that it is for; null for the reseller. */
  readonly customer: string | null;
  readonly kind: PurchaseKind;
  readonly domain: DomainName;
  /** The idempotency key of the caller, or a generated one. */
  readonly key: string;
  /** Hash of the input, independent of the order of fields and of aliases. */
  readonly fingerprint: string;
  readonly period: number;
  /** What the registrar is expected to charge. */
  readonly cost: Money | null;
  /** What the customer pays, which never changes; null when that is the cost. */
  readonly retail: RetailPrice | null;
  /** The expected balance afterwards, in the currency of the cost, computed before sending. */
  readonly balanceAfter: Money | null;
  readonly claimedAt: Date;
  /** The job and the position of its item that this purchase is made for; both null for a single purchase. */
  readonly orderId: string | null;
  readonly orderLine: number | null;
}

export interface PurchaseRecord extends Claim {
  readonly state: PurchaseState;
  readonly submittedAt: Date | null;
  /** When the call has ended at the latest, by the clock of `submittedAt`; null when nothing was sent. */
  readonly callUntil: Date | null;
  /** End of the sender's quiet window, by the clock of `submittedAt`; null when nothing was sent. */
  readonly quietUntil: Date | null;
  /** When the gateway learned that the upstream accepted it; null before. */
  readonly acceptedAt: Date | null;
  /** When a transfer in progress was last read, and when the next read is due. */
  readonly readAt: Date | null;
  readonly nextReadAt: Date | null;
  /** Whether the price of a failed transfer was refunded; null when that is not known. */
  readonly refunded: boolean | null;
  readonly settledAt: Date | null;
  readonly fault: PurchaseFault | null;
}

/** The row of a new purchase, without the number that it gets when it is written. The other columns are null. */
export const claimRow = (
  claim: Claim,
  state: 'CLAIMED' | 'HELD' = 'CLAIMED',
): Omit<Insertable<PurchaseRow>, 'ordinal'> => ({
  id: claim.id,
  account: claim.account,
  caller: claim.caller,
  customer: claim.customer,
  kind: claim.kind,
  domain: claim.domain,
  key: claim.key,
  fingerprint: claim.fingerprint,
  period: claim.period,
  cost_amount: claim.cost?.amount.toString() ?? null,
  cost_currency: claim.cost?.currency ?? null,
  retail_amount: claim.retail?.price.amount.toString() ?? null,
  retail_currency: claim.retail?.price.currency ?? null,
  retail_rule: claim.retail?.rule ?? null,
  retail_rate: claim.retail?.rate ? toStoredJson(claim.retail.rate) : null,
  balance_after: claim.balanceAfter?.amount.toString() ?? null,
  spend: claim.cost && spendUnits(claim.cost),
  state,
  claimed_at: timeText(claim.claimedAt),
  order_id: claim.orderId,
  order_line: claim.orderLine,
});

/** The columns of a fault, all null where there is none. */
export const faultColumns = (fault: PurchaseFault | null) => ({
  fault_code: fault?.code ?? null,
  fault_message: fault?.message ?? null,
  fault_executed: fault?.executed ?? null,
  fault_upstream_code: fault?.upstream?.code ?? null,
  fault_upstream_message: fault?.upstream?.message ?? null,
});

/** @throws Fault `INVALID_INPUT` when a time or a price in the row is not what this code writes. */
export const purchaseOf = (row: Selectable<PurchaseRow>): PurchaseRecord => ({
  id: row.id,
  account: row.account,
  caller: row.caller,
  customer: row.customer,
  kind: row.kind,
  // Only names that were parsed are ever written.
  domain: row.domain as DomainName,
  key: row.key,
  fingerprint: row.fingerprint,
  period: row.period,
  cost: moneyOf(row.cost_amount, row.cost_currency),
  retail: retailOf(row),
  balanceAfter: moneyOf(row.balance_after, row.cost_currency),
  claimedAt: parseInstant(row.claimed_at),
  orderId: row.order_id,
  orderLine: row.order_line,
  state: row.state,
  submittedAt: timeOf(row.submitted_at),
  callUntil: timeOf(row.call_until),
  quietUntil: timeOf(row.quiet_until),
  acceptedAt: timeOf(row.accepted_at),
  readAt: timeOf(row.read_at),
  nextReadAt: timeOf(row.next_read_at),
  refunded: row.refunded === null ? null : row.refunded === 1,
  settledAt: timeOf(row.settled_at),
  fault: faultOf(row),
});

/** Null when either is. */
export const moneyOf = (amount: string | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : money(amount, currency);

function retailOf(row: Selectable<PurchaseRow>): RetailPrice | null {
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

function faultOf(row: Selectable<PurchaseRow>): PurchaseFault | null {
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
  db.selectFrom('purchases').selectAll().where('account', '=', account);
