import type { Insertable, Selectable } from 'kysely';
import { parseInstant } from '../kernel/instant.ts';
import type { JobItem, JobRecord, JobResult, NewJob, NewJobItem } from './job-store.ts';
import { type JobItemRow, type JobRow, timeOf, timeText } from './tables.ts';

export const jobRow = (job: NewJob): JobRow => ({
  id: job.id,
  account: job.account,
  caller: job.caller,
  kind: job.kind,
  key: job.key,
  options: job.options,
  created_at: timeText(job.createdAt),
});

/** @throws Fault `INVALID_INPUT` when the time in the row is not what this code writes. */
export const jobOf = (row: JobRow): JobRecord => ({
  id: row.id,
  account: row.account,
  caller: row.caller,
  kind: row.kind,
  key: row.key,
  options: row.options,
  createdAt: parseInstant(row.created_at),
});

/** The row of a new item: due at once, or DONE when it has a result. */
export const itemRow = (
  { id, account, createdAt }: NewJob,
  item: NewJobItem,
): Insertable<JobItemRow> => ({
  job_id: id,
  position: item.position,
  account,
  domain: item.domain,
  fingerprint: item.fingerprint,
  facts: item.facts,
  owner: null,
  due_at: timeText(createdAt),
  created_at: timeText(createdAt),
  ...(item.result
    ? doneColumns(createdAt, item.result)
    : { ...notDoneColumns, state: 'WAITING', input: item.input }),
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
