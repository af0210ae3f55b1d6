import { sql } from 'kysely';
import type { FilteredPage, TimePlace } from '../lib/pages.ts';
import { parts } from '../lib/slices.ts';
import { amount } from './counts.ts';
import { createJobItems } from './job-items.ts';
import { createJobLeases, hasJob, isOpen } from './job-leases.ts';
import {
  doneColumns,
  itemRow,
  type JobOutcome,
  type JobRecord,
  type JobResult,
  jobOf,
  jobRow,
  jobs,
  jobsOfIds,
  type NewJob,
  type NewJobItem,
  notDoneColumns,
} from './job-record.ts';
import { byTime, type FilterOf, is, listOf, meets, oneOf, within } from './lists.ts';
import { allOf, changedBy, firstOf } from './results.ts';
import { type Database, literal, rowsOf, timeText } from './tables.ts';
import { reading, writing } from './unavailable.ts';

const conditions = {
  kind: is('kind'),
  caller: is('caller'),
  customer: is('customer'),
  created: within('created_at'),
};

export type JobFilter = FilterOf<typeof conditions>;

export type JobPage = FilteredPage<TimePlace<'createdAt'>, JobFilter>;

/**
 * Jobs and their items. Each write is one statement, except `create`: it writes the items first, and then the job. Items
 * without a job are never taken.
 */
export const createJobStore = (db: Database) => ({
  /**
   * Of several concurrent creations of one key one is `isNew`, and the others receive the job of that one. The options and
   * items of the others are not compared with it. The id must be new. The feature `heldBy` holds all items: they are not
   * taken until it releases them.
   */
  create: (job: NewJob, items: readonly NewJobItem[], heldBy: string | null = null) =>
    writing(() => createJob(db, job, items, heldBy)),
  byId: (account: string, id: string) =>
    reading(() => firstOf(jobs(db, account).where('id', '=', id), jobOf)),
  byIds: (account: string, ids: readonly string[]) =>
    reading(() => allOf(jobsOfIds(db, account, ids), jobOf)),
  byKey: (account: string, kind: string, key: string) =>
    reading(() => firstOf(ofKey(db, { account, kind, key }), jobOf)),
  ...listOf(db, {
    order: byTime('created_at', 'createdAt'),
    rows: (account, condition) => rowsOf(db, 'jobs', account).where(condition),
    selected: (some) => some.selectAll(),
    meets: (filter: JobFilter) => meets(conditions, filter),
    indexed: () => ['kind', 'customer', 'created'],
    itemOf: jobOf,
  }),
  /**
   * The items of all accounts that have not ended and are of none of these kinds, or held by none of these features, now or before.
   * By the kind of the job and the feature.
   */
  countOpen: (kinds: readonly string[], features: readonly string[]) =>
    reading(async () => {
      const rows = await db
        .selectFrom('job_items')
        .where(isOpen)
        // No feature has an empty name.
        .where(({ eb, or }) =>
          or([eb('kind', 'not in', kinds), eb('held_by', 'not in', ['', ...features])]),
        )
        .where(hasJob)
        .groupBy(['kind', 'held_by'])
        .select(['kind', 'held_by as heldBy', amount])
        .execute();
      return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
    }),
  /** Ends all WAITING and HELD items of the job, and deletes their inputs. Returns how many. */
  endWaiting: (account: string, jobId: string, at: Date, result: JobResult) =>
    writing(() =>
      changedBy(
        itemsOf(db, account, jobId)
          .where('state', 'in', ['WAITING', 'HELD'])
          .set(doneColumns(at, result)),
      ),
    ),
  /** Lets items with one of these outcomes wait again, without their inputs, which are deleted. Returns how many. */
  restart: (account: string, jobId: string, outcomes: readonly JobOutcome[], dueAt: Date) =>
    writing(() =>
      changedBy(
        itemsOf(db, account, jobId)
          .where(oneOf('outcome')(outcomes))
          .set({ ...notDoneColumns, state: 'WAITING', due_at: timeText(dueAt) }),
      ),
    ),
  /**
   * Deletes items that were written before then and have no job, because the process ended between the two writes of
   * `create`. A `create` of that time must not be in progress anywhere. Looks at some of the jobs, those after an id, and returns
   * the id of the last one; null when none are left.
   */
  deleteOrphans: (before: Date, after = '') => writing(() => deleteOrphans(db, before, after)),
  ...createJobLeases(db),
  ...createJobItems(db),
});

export type JobStore = ReturnType<typeof createJobStore>;

/** SQLite allows 32,766 parameters in a statement, and a row has 14. */
const rowsPerInsert = 500;

async function createJob(
  db: Database,
  job: NewJob,
  items: readonly NewJobItem[],
  heldBy: string | null,
): Promise<{ readonly job: JobRecord; readonly isNew: boolean }> {
  for (const some of parts(items, rowsPerInsert)) {
    const rows = some.map((item) => itemRow(job, item, heldBy));
    await db.insertInto('job_items').values(rows).execute();
  }
  const written = await db
    .insertInto('jobs')
    .values(jobRow(job))
    .onConflict((conflict) => conflict.columns(['account', 'kind', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (written) return { job: jobOf(written), isNew: true };
  await db.deleteFrom('job_items').where('job_id', '=', job.id).execute();
  return { job: jobOf(await ofKey(db, job).executeTakeFirstOrThrow()), isNew: false };
}

const jobsPerPart = 500;

async function deleteOrphans(db: Database, before: Date, after: string): Promise<string | null> {
  // A search for each id: a job may have thousands of items.
  const { rows } = await sql<{ readonly id: string; readonly has_job: boolean | number }>`
    with recursive ids (id, number) as (
      select min(job_id), 1 from job_items where job_id > ${after}
      union all
      select (select min(job_id) from job_items where job_id > id), number + 1 from ids
        where id is not null and number < ${literal(jobsPerPart)})
    select id, exists (select 1 from jobs where jobs.id = ids.id) as has_job
      from ids where id is not null order by number`.execute(db);
  for (const { id, has_job: hasIt } of rows) {
    if (hasIt) continue;
    await db
      .deleteFrom('job_items')
      .where('job_id', '=', id)
      .where('created_at', '<', timeText(before))
      .where((eb) => eb.not(hasJob(eb)))
      .execute();
  }
  return rows.length < jobsPerPart ? null : (rows.at(-1)?.id ?? null);
}

const ofKey = (db: Database, { account, kind, key }: Pick<NewJob, 'account' | 'kind' | 'key'>) =>
  jobs(db, account).where('kind', '=', kind).where('key', '=', key);

const itemsOf = (db: Database, account: string, jobId: string) =>
  db.updateTable('job_items').where('account', '=', account).where('job_id', '=', jobId);
