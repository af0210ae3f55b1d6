import type { Kysely, UpdateResult } from 'kysely';
import { countFacts, countItems, itemPage, positionOf } from './job-items.ts';
import { hasJob, leased, renewLeases, takeItems } from './job-leases.ts';
import {
  countJobs,
  firstJob,
  itemStates,
  itemsAt,
  jobs,
  listItems,
  listJobs,
} from './job-queries.ts';
import { doneColumns, itemRow, jobOf, jobRow, notDoneColumns } from './job-rows.ts';
import type { JobRecord, JobStore, NewJob, NewJobItem } from './job-store.ts';
import { type JournalTables, timeText } from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';

type Database = Kysely<JournalTables>;

/** The jobs in the database of the journal. No transaction is ever open between two statements. */
export function createJobStore(db: Database): JobStore {
  const reading = <T>(work: () => Promise<T>) => guarded(work, readFault);
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    create: (job, items) => writing(() => createJob(db, job, items)),
    byId: (account, id) => reading(() => firstJob(jobs(db, account).where('id', '=', id))),
    byKey: (account, kind, key) => reading(() => firstJob(ofKey(db, { account, kind, key }))),
    list: (account, page) => reading(() => listJobs(db, account, page)),
    count: (account, filter) => reading(() => countJobs(db, account, filter)),
    items: (jobIds) => reading(() => listItems(db, jobIds)),
    page: (jobId, page) => reading(() => itemPage(db, jobId, page)),
    positionOf: (jobId, domain) => reading(() => positionOf(db, jobId, domain)),
    itemsAt: (jobId, positions) => reading(() => itemsAt(db, jobId, positions)),
    states: (jobId) => reading(() => itemStates(db, jobId)),
    counts: (jobId) => reading(() => countItems(db, jobId)),
    facts: (jobId) => reading(() => countFacts(db, jobId)),

    take: (account, take) => writing(() => takeItems(db, account, take)),
    renew: (account, owner, leaseUntil) =>
      writing(() => renewLeases(db, account, owner, leaseUntil)),
    finish: (lease, at, result) =>
      writing(() => hasChanged(leased(db, lease).set(doneColumns(at, result)))),
    release: (lease, state, dueAt) =>
      writing(() =>
        hasChanged(leased(db, lease).set({ state, owner: null, due_at: timeText(dueAt) })),
      ),
    saveFacts: (lease, facts) => writing(() => hasChanged(leased(db, lease).set({ facts }))),

    endWaiting: (account, jobId, at, result) =>
      writing(() =>
        changed(
          itemsOf(db, account, jobId).where('state', '=', 'WAITING').set(doneColumns(at, result)),
        ),
      ),
    restart: (account, jobId, outcomes, dueAt) =>
      writing(async () => {
        // `in ()` is no SQL for PostgreSQL.
        if (outcomes.length === 0) return 0;
        return changed(
          itemsOf(db, account, jobId)
            .where('outcome', 'in', outcomes)
            .set({ ...notDoneColumns, state: 'WAITING', due_at: timeText(dueAt) }),
        );
      }),
    deleteOrphans: (before) =>
      writing(async () => {
        await db
          .deleteFrom('job_items')
          .where('created_at', '<', timeText(before))
          .where((eb) => eb.not(hasJob()(eb)))
          .execute();
      }),
  };
}

/** SQLite allows 32,766 parameters in a statement, and a row has 14. */
const rowsPerInsert = 500;

async function createJob(
  db: Database,
  job: NewJob,
  items: readonly NewJobItem[],
): Promise<{ readonly job: JobRecord; readonly isNew: boolean }> {
  for (let from = 0; from < items.length; from += rowsPerInsert) {
    const rows = items.slice(from, from + rowsPerInsert).map((item) => itemRow(job, item));
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

const ofKey = (db: Database, { account, kind, key }: Pick<NewJob, 'account' | 'kind' | 'key'>) =>
  jobs(db, account).where('kind', '=', kind).where('key', '=', key);

const itemsOf = (db: Database, account: string, jobId: string) =>
  db.updateTable('job_items').where('account', '=', account).where('job_id', '=', jobId);

interface Update {
  executeTakeFirstOrThrow(): Promise<UpdateResult>;
}

const changed = async (update: Update): Promise<number> =>
  Number((await update.executeTakeFirstOrThrow()).numUpdatedRows);

const hasChanged = async (update: Update): Promise<boolean> => (await changed(update)) > 0;
