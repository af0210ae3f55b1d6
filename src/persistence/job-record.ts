import type { Insertable, Selectable } from 'kysely';
import { parseInstant } from '../kernel/instant.ts';
import { oneOf } from './lists.ts';
import {
  type Database,
  isOfAccount,
  type JobItemRow,
  type JobItemState,
  type JobOutcome,
  type JobRow,
  timeOf,
  timeText,
} from './tables.ts';

export type { JobItemState, JobOutcome };

export interface NewJob extends Omit<JobRow, 'created_at'> {
  readonly createdAt: Date;
}

export type JobRecord = NewJob;

export interface NewJobItem {
  /** From 0, without gaps. */
  readonly position: number;
  /** The domain, or the text that was sent instead of a domain name. */
  readonly domain: string;
  /** Hash of the input of the item. */
  readonly fingerprint: string;
  /** JSON that is needed to run the item, with secrets such as auth codes. Deleted when the item is DONE. */
  readonly input: string | null;
  /** JSON that readers see. */
  readonly facts: string;
  /** Null unless DONE. A new item with a result is DONE since the creation of its job, and its input is not stored. */
  readonly result: JobResult | null;
}

/** The end of an item. */
export interface JobResult {
  readonly outcome: JobOutcome;
  /** JSON: details of the outcome. */
  readonly details: string;
}

export interface JobItem extends NewJobItem {
  readonly jobId: string;
  readonly state: JobItemState;
  /** How often the item was taken. A write with an older number changes nothing. */
  readonly fence: number;
  readonly doneAt: Date | null;
}

/** An item that this process works on. */
export interface TakenItem extends JobItem {
  readonly job: JobRecord;
}

/** The right to write to a taken item: it ends when the item is taken again, is DONE, or is released to WAITING. */
export type Lease = Pick<JobItem, 'jobId' | 'position' | 'fence'>;

export const jobRow = ({ createdAt, ...job }: NewJob): JobRow => ({
  ...job,
  created_at: timeText(createdAt),
});

/** @throws Fault `INVALID_INPUT` when the time in the row is not what this code writes. */
export const jobOf = ({ created_at, ...row }: JobRow): JobRecord => ({
  ...row,
  createdAt: parseInstant(created_at),
});

/** The row of a new item: due at once, HELD, or DONE when it has a result. */
export const itemRow = (
  { id, account, kind, createdAt }: NewJob,
  item: NewJobItem,
  heldBy: string | null,
): Insertable<JobItemRow> => ({
  job_id: id,
  position: item.position,
  account,
  kind,
  domain: item.domain,
  fingerprint: item.fingerprint,
  facts: item.facts,
  owner: null,
  held_by: item.result ? null : heldBy,
  due_at: timeText(createdAt),
  created_at: timeText(createdAt),
  ...(item.result
    ? doneColumns(createdAt, item.result)
    : { ...notDoneColumns, state: heldBy === null ? 'WAITING' : 'HELD', input: item.input }),
});

/** The columns of an item that ends. */
export const doneColumns = (at: Date, { outcome, details }: JobResult) => ({
  state: 'DONE' as const,
  input: null,
  owner: null,
  outcome,
  details,
  done_at: timeText(at),
});

/** The columns that only the end of an item fills. */
export const notDoneColumns = { outcome: null, details: null, done_at: null };

/** @throws Fault `INVALID_INPUT` when the time in the row is not what this code writes. */
export const itemOf = (row: Selectable<JobItemRow>): JobItem => ({
  jobId: row.job_id,
  position: row.position,
  domain: row.domain,
  fingerprint: row.fingerprint,
  input: row.input,
  facts: row.facts,
  state: row.state,
  result: resultOf(row),
  fence: row.fence,
  doneAt: timeOf(row.done_at),
});

const resultOf = ({ outcome, details }: Selectable<JobItemRow>): JobResult | null =>
  outcome === null || details === null ? null : { outcome, details };

export const jobs = (db: Database, account: string) =>
  db.selectFrom('jobs').selectAll().where('account', '=', account);

export const jobsOfIds = (db: Database, account: string, ids: readonly string[]) =>
  db.selectFrom('jobs').selectAll().where(isOfAccount(account)).where(oneOf('id')(ids));
