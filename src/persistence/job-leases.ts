import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely';
import { jobs } from './job-queries.ts';
import { itemOf, jobOf } from './job-rows.ts';
import type { JobKind, Lease, Take, TakenItem } from './job-store.ts';
import {
  hasSeveralWriters,
  type JobItemRow,
  type JournalTables,
  literal,
  timeText,
} from './tables.ts';

type Database = Kysely<JournalTables>;

export async function takeItems(
  db: Database,
  account: string,
  { owner, now, leaseUntil, latest, kinds, limit }: Take,
): Promise<readonly TakenItem[]> {
  const due = db
    .selectFrom('job_items')
    .select(['job_id', 'position'])
    .where('account', '=', account)
    .where(isOpen)
    .where(({ eb, or }) =>
      or([eb('due_at', '<=', timeText(now)), eb('due_at', '>', timeText(latest))]),
    )
    .where(hasJob(kinds))
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('job_id')
    .limit(literal(limit));
  const rows = await db
    // PostgreSQL executes a query in `with` once. One in `in (…)` it may repeat, and then exceed the limit.
    .with('due', () => (hasSeveralWriters(db) ? due.forUpdate().skipLocked() : due))
    .updateTable('job_items')
    .set((eb) => ({
      state: 'BEGUN',
      owner,
      fence: eb('fence', '+', 1),
      due_at: timeText(leaseUntil),
    }))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('job_id', 'position'),
        'in',
        selectFrom('due').select(['job_id', 'position']).$asTuple('job_id', 'position'),
      ),
    )
    .returningAll()
    .execute();
  return withJobs(db, account, rows);
}

/** The taken items in the order in which `take` selects them: an update returns its rows in any order. */
async function withJobs(
  db: Database,
  account: string,
  rows: readonly Selectable<JobItemRow>[],
): Promise<readonly TakenItem[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map((row) => row.job_id))];
  const found = await jobs(db, account)
    .where('id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return found
    .flatMap((row) => {
      const job = jobOf(row);
      return rows
        .filter((item) => item.job_id === job.id)
        .map((item) => ({ ...itemOf(item), job }));
    })
    .toSorted((one, other) => one.position - other.position);
}

/** Only items that are BEGUN have an owner. */
export async function renewLeases(
  db: Database,
  account: string,
  owner: string,
  leaseUntil: Date,
): Promise<void> {
  await db
    .updateTable('job_items')
    .set({ due_at: timeText(leaseUntil) })
    .where('account', '=', account)
    .where(isOpen)
    .where('owner', '=', owner)
    .execute();
}

/** The item, while its lease is valid. */
export const leased = (db: Database, lease: Lease) =>
  db.updateTable('job_items').where(isHeld(lease));

/** Whether the lease is valid, and remains valid until the statement has ended. */
export const hasLease =
  (db: Database, lease: Lease) =>
  ({ exists, selectFrom }: ExpressionBuilder<JournalTables, never>): Expression<SqlBool> => {
    const item = selectFrom('job_items').select('position').where(isHeld(lease));
    return exists(hasSeveralWriters(db) ? item.forShare() : item);
  };

type Condition = (eb: ExpressionBuilder<JournalTables, 'job_items'>) => Expression<SqlBool>;

const isHeld =
  ({ jobId, position, fence }: Lease): Condition =>
  (eb) =>
    eb.and([
      eb('job_id', '=', jobId),
      eb('position', '=', position),
      eb('fence', '=', fence),
      eb('state', '=', literal('BEGUN')),
    ]);

/** Whether the item has a job, of one of these kinds if they are given. */
export const hasJob =
  (kinds?: readonly JobKind[]): Condition =>
  ({ exists, selectFrom }) => {
    const job = selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'job_items.job_id');
    return exists(kinds ? job.where('jobs.kind', 'in', kinds) : job);
  };

/** The condition of the index `job_items_open` in the same words, so that SQLite uses the index. */
const isOpen: Condition = (eb) => eb('state', '<>', literal('DONE'));
