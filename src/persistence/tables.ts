import type { ColumnType } from 'kysely';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import type { PurchaseKind, PurchaseState } from './store.ts';

/**
 * One purchase. Text and integers only, so that SQLite and PostgreSQL hold and order the same bytes.
 *
 * Times are ISO 8601 in UTC with milliseconds (24 characters), which makes text order the order of time.
 */
export interface OperationRow {
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
}

/** The stop switch of an account: a row exists while purchases are stopped. */
export interface StopRow {
  readonly account: string;
  readonly since: string;
  readonly reason: string;
}

/** The time of the last check that the journal is writable: one row. */
export interface ProofRow {
  readonly id: number;
  readonly at: string;
  /** As large as a claim with its indexes, so that a disk that is too full for a claim fails this check. */
  readonly filler: string;
}

/** The tables that `migrations.ts` creates. */
export interface JournalTables {
  readonly operations: OperationRow;
  readonly stops: StopRow;
  readonly proofs: ProofRow;
}
