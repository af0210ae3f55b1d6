import type { Insertable, Selectable } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant } from '../kernel/instant.ts';
import { type Money, money } from '../kernel/money.ts';
import { spendUnits } from '../kernel/spend-limits.ts';
import type { Claim, PurchaseFault, PurchaseRecord } from './store.ts';
import type { OperationRow } from './tables.ts';

/** A time as the tables hold it: fixed width, so that text order is the order of time. */
export const timeText = (time: Date): string => time.toISOString();

/** The row of a claim of which nothing was sent yet, without the number that it gets when it is written. */
export const claimRow = (claim: Claim): Omit<Insertable<OperationRow>, 'ordinal'> => ({
  id: claim.id,
  account: claim.account,
  caller: claim.caller,
  kind: claim.kind,
  domain: claim.domain,
  key: claim.key,
  fingerprint: claim.fingerprint,
  period: claim.period,
  price_amount: claim.price?.amount.toString() ?? null,
  price_currency: claim.price?.currency ?? null,
  balance_after: claim.balanceAfter?.amount.toString() ?? null,
  spend: claim.price && spendUnits(claim.price),
  state: 'CLAIMED',
  claimed_at: timeText(claim.claimedAt),
  submitted_at: null,
  quiet_until: null,
  accepted_at: null,
  looked_at: null,
  next_look_at: null,
  refunded: null,
  settled_at: null,
  ...faultColumns(null),
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
export const operationOf = (row: Selectable<OperationRow>): PurchaseRecord => ({
  id: row.id,
  account: row.account,
  caller: row.caller,
  kind: row.kind,
  // Only names that were parsed are ever written.
  domain: row.domain as DomainName,
  key: row.key,
  fingerprint: row.fingerprint,
  period: row.period,
  price: moneyOf(row.price_amount, row.price_currency),
  balanceAfter: moneyOf(row.balance_after, row.price_currency),
  claimedAt: parseInstant(row.claimed_at),
  state: row.state,
  submittedAt: timeOf(row.submitted_at),
  quietUntil: timeOf(row.quiet_until),
  acceptedAt: timeOf(row.accepted_at),
  lookedAt: timeOf(row.looked_at),
  nextLookAt: timeOf(row.next_look_at),
  refunded: row.refunded === null ? null : row.refunded === 1,
  settledAt: timeOf(row.settled_at),
  fault: faultOf(row),
});

const timeOf = (text: string | null): Date | null => (text === null ? null : parseInstant(text));

const moneyOf = (amount: string | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : money(amount, currency);

function faultOf(row: Selectable<OperationRow>): PurchaseFault | null {
  const { fault_code: code, fault_message: message, fault_executed: executed } = row;
  if (code === null || message === null || executed === null) return null;
  const { fault_upstream_code: upstreamCode, fault_upstream_message: upstreamMessage } = row;
  const upstream =
    upstreamCode === null || upstreamMessage === null
      ? null
      : { code: upstreamCode, message: upstreamMessage };
  return { code, message, executed, upstream };
}
