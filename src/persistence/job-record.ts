import { type JobItemState, type JobOutcome, jobItemsTable, jobsTable } from './core-tables.ts';
import { oneOf } from './lists.ts';
import type { RecordOf, RowOf } from './table.ts';
import { type Database, isOfAccount, rowsOf, timeText } from './tables.ts';

export type { JobItemState, JobOutcome };

export type JobRecord = RecordOf<typeof jobsTable>;
export type NewJob = JobRecord;

/** The end of an item. */
export interface JobResult {
  readonly outcome: JobOutcome;
  /** JSON: details of the outcome. */
  readonly details: string;
}

export interface JobItem extends RecordOf<typeof jobItemsTable> {
  /** Null unless DONE. A new item with a result is DONE since the creation of its job, and its input is not stored. */
  readonly result: JobResult | null;
}

export type NewJobItem = Omit<JobItem, 'jobId' | 'state' | 'fence' | 'doneAt'>;

/** An item that this process works on. */
export interface TakenItem extends JobItem {
  readonly job: JobRecord;
}

/** The right to write to a taken item: it ends when the item is taken again, is DONE, or is released to WAITING. */
export type Lease = Pick<JobItem, 'jobId' | 'position' | 'fence'>;

export const { row: jobRow, record: jobOf } = jobsTable;

/** The row of a new item: due at once, HELD, or DONE when it has a result. */
export const itemRow = (
  { id: jobId, account, kind, createdAt }: NewJob,
  { position, domain, fingerprint, facts, input, result }: NewJobItem,
  heldBy: string | null,
) => ({
  ...jobItemsTable.row({
    ...{ jobId, position, account, kind, domain, fingerprint, facts, owner: null },
    heldBy: result ? null : heldBy,
    dueAt: createdAt,
    createdAt,
  }),
  ...(result
    ? doneColumns(createdAt, result)
    : {
        ...notDoneColumns,
        state: heldBy === null ? ('WAITING' as const) : ('HELD' as const),
        input,
      }),
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
export const itemOf = (row: RowOf<typeof jobItemsTable>): JobItem => ({
  ...jobItemsTable.record(row),
  result: resultOf(row),
});

const resultOf = ({ outcome, details }: RowOf<typeof jobItemsTable>): JobResult | null =>
  outcome === null || details === null ? null : { outcome, details };

export const jobs = (db: Database, account: string) => rowsOf(db, 'jobs', account).selectAll();

export const jobsOfIds = (db: Database, account: string, ids: readonly string[]) =>
  db.selectFrom('jobs').selectAll().where(isOfAccount(account)).where(oneOf('id')(ids));
