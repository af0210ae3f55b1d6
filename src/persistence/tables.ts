import {
  type ColumnType,
  type Generated,
  type Insertable,
  type Kysely,
  PostgresAdapter,
  type Selectable,
  sql,
} from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import { parseInstant } from '../kernel/instant.ts';
import { type Money, money } from '../kernel/money.ts';
import { spendUnits } from '../kernel/spend-limits.ts';
import type { WrittenField } from './domain-write-store.ts';
import type { EventSource, EventType } from './event-store.ts';
import type { JobItemState, JobKind, JobOutcome } from './job-store.ts';
import type { DomainSource } from './ledger-store.ts';
import type { Claim, PurchaseFault, PurchaseKind, PurchaseRecord, PurchaseState } from './store.ts';
import type { WebhookAttempt, WebhookSource, WebhookState } from './webhook-store.ts';

/**
 * One purchase. Text and integers only, so that SQLite and PostgreSQL hold and order the same bytes.
 *
 * Times are ISO 8601 in UTC with milliseconds (24 characters), which makes text order the order of time.
 */
interface PurchaseRow {
  readonly id: string;
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  readonly kind: PurchaseKind;
  readonly domain: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly period: number;
  /** Exact decimal text; null together with its currency. */
  readonly price_amount: string | null;
  readonly price_currency: string | null;
  /** Exact decimal text, in the currency of the price. */
  readonly balance_after: string | null;
  /** The price in ten-thousandths of its currency, rounded up; text from PostgreSQL. Read it as a sum only. */
  readonly spend: ColumnType<unknown, number | null>;
  /** Counts the purchases of an account from 1. Concurrent claims compute the same number, and one of them gets it. */
  readonly ordinal: number;
  readonly state: PurchaseState;
  readonly claimed_at: string;
  readonly submitted_at: string | null;
  /** End of the quiet window of the gateway that sent it. */
  readonly quiet_until: string | null;
  readonly accepted_at: string | null;
  /** Of a transfer in progress. */
  readonly looked_at: string | null;
  readonly next_look_at: string | null;
  /** 1 for yes, 0 for no. */
  readonly refunded: number | null;
  readonly settled_at: string | null;
  readonly fault_code: FaultCode | null;
  readonly fault_message: string | null;
  readonly fault_executed: Executed | null;
  readonly fault_upstream_code: string | null;
  readonly fault_upstream_message: string | null;
  /** `job_id` and `position` of the item that it is made for; both null for a single purchase. */
  readonly order_id: string | null;
  readonly order_line: number | null;
  /** 1 while the event of its outcome is not stored yet. */
  readonly unreported: number | null;
}

/** One job: what all its items share. A row is never changed. */
export interface JobRow {
  readonly id: string;
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  readonly kind: JobKind;
  readonly key: string;
  /** JSON. */
  readonly options: string;
  readonly created_at: string;
}

/** One item of a job. It is written before the row of its job. */
export interface JobItemRow {
  readonly job_id: string;
  /** From 0. */
  readonly position: number;
  readonly account: string;
  readonly domain: string;
  readonly fingerprint: string;
  readonly state: JobItemState;
  /** JSON, with secrets; null when DONE. */
  readonly input: string | null;
  /** JSON. */
  readonly facts: string;
  /** Both null unless DONE; the details are JSON. */
  readonly outcome: JobOutcome | null;
  readonly details: string | null;
  /** The process that works on it; null when none does, and always null unless BEGUN. */
  readonly owner: string | null;
  /** How often the item was taken. */
  readonly fence: Generated<number>;
  /** When the item may be taken: of an item with an owner, the end of the lease. No meaning when DONE. */
  readonly due_at: string;
  /** The creation time of the job. */
  readonly created_at: string;
  readonly done_at: string | null;
}

/** The stop switch of an account: a row exists while purchases are stopped. */
interface StopRow {
  readonly account: string;
  readonly since: string;
  readonly reason: string;
}

/** One domain that the gateway knows. A row is never deleted. */
export interface KnownDomainRow {
  readonly account: string;
  readonly domain: string;
  readonly source: DomainSource;
  /** 1 when the last list of the upstream has it, else 0. */
  readonly listed: number;
  readonly added_at: string;
  /** JSON; null together with its time. */
  readonly row: string | null;
  readonly row_at: string | null;
  readonly changed_at: string | null;
  readonly missing_at: string | null;
  /** When it was found to be gone; null while it is known. */
  readonly removed_at: string | null;
  /** When a process last began to read it. */
  readonly taken_at: string | null;
  readonly due_at: string;
}

/** The last known state of a domain, or of another subject of events. */
interface WatchedSubjectRow {
  readonly account: string;
  readonly subject: string;
  readonly seen: string;
  /** Events of the last change that are not in `events` yet, as JSON; null for none. */
  readonly outbox: string | null;
}

export interface EventRow {
  readonly account: string;
  readonly position: number;
  readonly id: string;
  readonly type: EventType;
  readonly at: string;
  readonly subject: string;
  readonly domain: string | null;
  readonly purchase_id: string | null;
  readonly source: EventSource;
  readonly caller: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** A write of a domain that was sent. */
interface DomainWriteRow {
  readonly id: string;
  readonly account: string;
  readonly domain: string;
  readonly field: WrittenField;
  readonly value: string | null;
  readonly caller: string | null;
  readonly at: string;
}

/** The facts about all events of an account. */
interface EventLogRow {
  readonly account: string;
  /** 1 when the first states were stored completely, else 0. */
  readonly has_baseline: number;
  readonly deleted_until: number;
}

/** An endpoint that receives events. */
export interface WebhookRow {
  readonly account: string;
  readonly id: string;
  readonly source: WebhookSource;
  readonly url: string;
  readonly description: string | null;
  /** JSON. */
  readonly types: string;
  /** As text, because the gateway signs with it; null for a webhook of the settings. */
  readonly secret: string | null;
  /** Both null unless the secret was rotated. */
  readonly old_secret: string | null;
  readonly old_secret_until: string | null;
  readonly created_at: string;
  /** The number of changes after which the result of a request in progress no longer counts. */
  readonly revision: number;
  readonly state: WebhookState;
  /** Both null unless SUSPENDED. */
  readonly suspended_at: string | null;
  readonly suspended_reason: string | null;
  /** The id of the event of the suspension until that is stored; null for none. */
  readonly announcement: string | null;
  readonly position: number;
  readonly missed_until: number | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly due_at: string | null;
  /** The process that delivers; both null for none. */
  readonly lease_owner: string | null;
  readonly lease_until: string | null;
}

/** A request that was sent to an endpoint. */
export interface WebhookAttemptRow {
  readonly account: string;
  readonly webhook_id: string;
  readonly id: string;
  readonly kind: WebhookAttempt['kind'];
  readonly event_id: string;
  readonly event_type: string;
  readonly at: string;
  readonly duration_ms: number;
  readonly number: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly next_at: string | null;
}

/** The process that does a kind of background work for an account. */
interface LeaseRow {
  readonly account: string;
  readonly name: string;
  readonly owner: string;
  readonly until: string;
}

/** The time of the last check that the journal is writable: one row. */
interface ProofRow {
  readonly id: number;
  readonly at: string;
  /** As large as a claim with its indexes, so that a disk that is too full for a claim fails this check. */
  readonly filler: string;
}

/** The tables that `migrations.ts` creates. */
export interface JournalTables {
  readonly purchases: PurchaseRow;
  readonly jobs: JobRow;
  readonly job_items: JobItemRow;
  readonly known_domains: KnownDomainRow;
  readonly leases: LeaseRow;
  readonly watched_subjects: WatchedSubjectRow;
  readonly events: EventRow;
  readonly event_logs: EventLogRow;
  readonly webhooks: WebhookRow;
  readonly webhook_attempts: WebhookAttemptRow;
  readonly domain_writes: DomainWriteRow;
  readonly stops: StopRow;
  readonly proofs: ProofRow;
}

/** A time as the tables hold it: fixed width, so that text order is the order of time. */
export const timeText = (time: Date): string => time.toISOString();

export const timeOf = (text: string | null): Date | null =>
  text === null ? null : parseInstant(text);

/**
 * A value in the text of a query. SQLite compiles a statement again for each execution if a parameter can change its plan,
 * as a limit can, or a value of the column in the condition of a partial index.
 */
export const literal = <Value extends string | number>(value: Value) => sql.lit(value);

/** SQLite has one writer at a time, and no row locks. */
export const hasSeveralWriters = (db: Kysely<JournalTables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** The row of a claim, without the number that it gets when it is written. The other columns are null. */
export const claimRow = (claim: Claim): Omit<Insertable<PurchaseRow>, 'ordinal'> => ({
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
  kind: row.kind,
  // Only names that were parsed are ever written.
  domain: row.domain as DomainName,
  key: row.key,
  fingerprint: row.fingerprint,
  period: row.period,
  price: moneyOf(row.price_amount, row.price_currency),
  balanceAfter: moneyOf(row.balance_after, row.price_currency),
  claimedAt: parseInstant(row.claimed_at),
  orderId: row.order_id,
  orderLine: row.order_line,
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

const moneyOf = (amount: string | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : money(amount, currency);

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
