import {
  type ColumnType,
  type Expression,
  type ExpressionBuilder,
  type Generated,
  type Kysely,
  PostgresAdapter,
  type SqlBool,
  sql,
} from 'kysely';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import { parseInstant } from '../kernel/instant.ts';
import type { PurchaseState } from '../kernel/purchase-states.ts';

export type PurchaseKind = 'REGISTRATION' | 'TRANSFER';

/**
 * One purchase. Text and integers only, so that SQLite and PostgreSQL hold and order the same bytes.
 *
 * Times are ISO 8601 in UTC with milliseconds (24 characters), which makes text order the order of time.
 */
export interface PurchaseRow {
  readonly id: string;
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  /** The customer that it is for; null for the reseller. */
  readonly customer: string | null;
  readonly kind: PurchaseKind;
  readonly domain: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly period: number;
  /** Exact decimal text; null together with its currency. */
  readonly cost_amount: string | null;
  readonly cost_currency: string | null;
  /** What the customer pays, and how it was computed; all null when that is the cost. */
  readonly retail_amount: string | null;
  readonly retail_currency: string | null;
  readonly retail_rule: number | null;
  /** JSON; also null without a rate. */
  readonly retail_rate: string | null;
  /** Exact decimal text, in the currency of the cost. */
  readonly balance_after: string | null;
  /** The cost in ten-thousandths of its currency, rounded up; text from PostgreSQL. Read it as a sum only. */
  readonly spend: ColumnType<unknown, number | null>;
  /** Counts the purchases of an account from 1. Concurrent claims compute the same number, and one of them gets it. */
  readonly ordinal: number;
  readonly state: PurchaseState;
  readonly claimed_at: string;
  readonly submitted_at: string | null;
  /** When its call has ended at the latest. */
  readonly call_until: string | null;
  /** End of the quiet window of the gateway that sent it. */
  readonly quiet_until: string | null;
  readonly accepted_at: string | null;
  /** Of a transfer in progress. */
  readonly read_at: string | null;
  readonly next_read_at: string | null;
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

/** HELD: until the feature that holds it releases it. WAITING: nothing was sent for it. BEGUN: a process works on it, or did until it ended. DONE: has an outcome. */
export type JobItemState = 'HELD' | 'WAITING' | 'BEGUN' | 'DONE';

/** How an item ended. The modules that run jobs define their own. */
export type JobOutcome = string;

/** One job: what all its items share. A row is never changed. */
export interface JobRow {
  readonly id: string;
  readonly account: string;
  /** The name of the caller's key; null with open access. */
  readonly caller: string | null;
  /** The customer to whom its caller was bound; null for none. */
  readonly customer: string | null;
  /** Names the code that works on its items. */
  readonly kind: string;
  /** Unique for the account and the kind. */
  readonly key: string;
  /** JSON: what all items share. */
  readonly options: string;
  readonly created_at: string;
}

/** One item of a job. It is written before the row of its job. */
export interface JobItemRow {
  readonly job_id: string;
  /** From 0. */
  readonly position: number;
  readonly account: string;
  /** That of its job. */
  readonly kind: string;
  readonly domain: string;
  readonly fingerprint: string;
  readonly state: JobItemState;
  /** The feature that holds it, or has released it; null for any other. */
  readonly held_by: string | null;
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

/** The customer of a domain. A domain without a row is the reseller's own. */
interface DomainCustomerRow {
  readonly account: string;
  readonly domain: string;
  /** Null for a domain that was made the reseller's own. */
  readonly customer: string | null;
  /** When it was set; of a purchase when that was claimed. */
  readonly since: string;
}

interface DomainLabelRow {
  readonly account: string;
  readonly domain: string;
  readonly name: string;
  readonly value: string;
  /** When it was set. */
  readonly since: string;
}

/** The process that does a kind of background work for an account. */
interface LeaseRow {
  readonly account: string;
  readonly name: string;
  readonly owner: string;
  readonly until: string;
}

/** The row of each proof. */
export const proofIds = { writable: 1, backup: 2 } as const;

/** The time of the last check that the journal is writable, and of its last backup. */
interface ProofRow {
  readonly id: number;
  readonly at: string;
  /** Of the check as large as a claim with its indexes, so that a disk that is too full for a claim fails it. */
  readonly filler: string;
}

/** The tables that `migrations.ts` creates. */
export interface JournalTables {
  readonly purchases: PurchaseRow;
  readonly jobs: JobRow;
  readonly job_items: JobItemRow;
  readonly domain_customers: DomainCustomerRow;
  readonly domain_labels: DomainLabelRow;
  readonly leases: LeaseRow;
  readonly stops: StopRow;
  readonly proofs: ProofRow;
}

export type Database = Kysely<JournalTables>;

/** A condition of a statement on this table. */
export type Condition<Table extends keyof JournalTables = never> = (
  eb: ExpressionBuilder<JournalTables, Table>,
) => Expression<SqlBool>;

/** A time as the tables hold it: fixed width, so that text order is the order of time. */
export const timeText = (time: Date): string => time.toISOString();

export const timeOf = (text: string | null): Date | null =>
  text === null ? null : parseInstant(text);

/**
 * A value in the text of a query. SQLite compiles a statement again for each execution if a parameter can change its plan,
 * as a limit can, or a value of the column in the condition of a partial index.
 */
export const literal = <Value extends string | number>(value: Value) => sql.lit(value);

/**
 * The condition for the account of rows that are selected by their ids. SQLite expects an account to have few rows, and would read
 * all of them instead, so that no index serves this condition.
 */
export const isOfAccount = (account: string) => sql<SqlBool>`coalesce(account, '') = ${account}`;

const uniqueViolation = '23505';

/** Whether PostgreSQL failed a statement because another one inserted a row with the same key. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === uniqueViolation;

/** SQLite has one writer at a time, and no row locks. */
export const hasSeveralWriters = (db: Database): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
