import type { Insertable, Selectable } from 'kysely';
import type { DomainName } from '../../kernel/domain-name.ts';
import { parseInstant } from '../../kernel/instant.ts';
import type { Money } from '../../kernel/money.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import { moneyOf } from '../../persistence/purchase-record.ts';
import { timeOf, timeText } from '../../persistence/tables.ts';
import type { ApprovalOperation, ApprovalRule } from './rules.ts';
import type { ApprovalRow, ApprovalState } from './table.ts';

/** A request for the decision of another caller. */
export interface NewApproval {
  /** Also the id of the job, and of a single purchase, that waits for it. */
  readonly id: string;
  readonly operation: ApprovalOperation;
  /** The kind of the job that waits; null for a request that is sent again after the decision. */
  readonly jobKind: ApprovalRow['job_kind'];
  /** Null for an order and a bulk change. */
  readonly domain: DomainName | null;
  /** The name of the key of the request; null with open access. */
  readonly caller: string | null;
  readonly customer: string | null;
  /** As it was. */
  readonly rule: ApprovalRule;
  /** Hash of the input. */
  readonly fingerprint: string;
  /** Purchases of an order, or domains of a bulk change. */
  readonly count: number;
  /** The highest cost; null when it is unknown, in several currencies, or when there is none. */
  readonly cost: Money | null;
  /** What the customer pays. */
  readonly price: Money | null;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

export interface Approval extends NewApproval {
  readonly state: ApprovalState;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly reason: string | null;
}

export const rowOf = (account: string, approval: NewApproval): Insertable<ApprovalRow> => ({
  id: approval.id,
  account,
  operation: approval.operation,
  job_kind: approval.jobKind,
  domain: approval.domain,
  caller: approval.caller,
  customer: approval.customer,
  rule: toStoredJson(approval.rule),
  fingerprint: approval.fingerprint,
  count: approval.count,
  cost_amount: approval.cost?.amount.toString() ?? null,
  cost_currency: approval.cost?.currency ?? null,
  price_amount: approval.price?.amount.toString() ?? null,
  price_currency: approval.price?.currency ?? null,
  requested_at: timeText(approval.requestedAt),
  expires_at: timeText(approval.expiresAt),
  state: 'REQUESTED',
  decided_at: null,
  decided_by: null,
  reason: null,
  unreported: 1,
});

/** @throws Fault `INVALID_INPUT` when a time or a price in the row is not what this code writes. */
export const approvalOf = (row: Selectable<ApprovalRow>): Approval => ({
  id: row.id,
  operation: row.operation,
  jobKind: row.job_kind,
  // Only names that were parsed are ever written.
  domain: row.domain as DomainName | null,
  caller: row.caller,
  customer: row.customer,
  rule: fromStoredJson(row.rule),
  fingerprint: row.fingerprint,
  count: row.count,
  cost: moneyOf(row.cost_amount, row.cost_currency),
  price: moneyOf(row.price_amount, row.price_currency),
  requestedAt: parseInstant(row.requested_at),
  expiresAt: parseInstant(row.expires_at),
  state: row.state,
  decidedAt: timeOf(row.decided_at),
  decidedBy: row.decided_by,
  reason: row.reason,
});
