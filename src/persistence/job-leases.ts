import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { createBatches } from '../lib/batches.ts';
import type { jobItemsTable } from './core-tables.ts';
import {
  itemOf,
  type JobRecord,
  type JobResult,
  jobOf,
  jobsOfIds,
  type Lease,
  type TakenItem,
} from './job-record.ts';
import { hasChanged } from './results.ts';
import type { RowOf } from './table.ts';
import { type Condition, type Database, hasSeveralWriters, literal, timeText } from './tables.ts';
import { writing } from './unavailable.ts';

type JobItemRow = RowOf<typeof jobItemsTable>;

/** Which items to take, and until when this process has them. */
export interface Take {
  readonly owner: string;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** An item that is due after this was written with a wrong clock, and is due now. */
  readonly latest: Date;
  readonly kinds: readonly string[];
  readonly limit: number;
}

/** New values of an item, in text columns. */
interface ItemChange {
  readonly lease: Lease;
  readonly values: Readonly<Record<string, string>>;
}

/** Each number of rows is a text of its own, and SQLite caches a hundred prepared statements. */
const rowsPerUpdate = 32;
/** Jobs whose items were taken last. */
const maxKnownJobs = 100;

/** The work on items: which process has one, for how long, and how it ends. */
export function createJobLeases(db: Database) {
  /** A job never changes. */
  const known = new LRUCache<string, JobRecord>({ max: maxKnownJobs });
  const finish = createBatches<ItemChange, boolean>(rowsPerUpdate, (changes) =>
    updateLeased(db, changes, { state: 'DONE', input: null, owner: null }),
  );
  const saveFacts = createBatches<ItemChange, boolean>(rowsPerUpdate, (changes) =>
    updateLeased(db, changes, {}),
  );
  return {
    /**
     * Takes items that are due: WAITING items become BEGUN, and BEGUN items whose lease has ended get a new owner. Concurrent
     * calls, also of other processes, take different items. Returns them by position, then by the time of their job, so that
     * a long job does not delay a short one.
     */
    take: (account: string, take: Take): Promise<readonly TakenItem[]> =>
      writing(async () => withJobs(db, account, known, await takeItems(db, account, take))),
    /**
     * Extends the leases of the items that the owner has, also of those that have ended and were not taken since. On PostgreSQL
     * an item that another statement changes at this moment is left out.
     */
    renew: (account: string, owner: string, leaseUntil: Date) =>
      writing(() => renewItems(db, account, owner, leaseUntil)),
    /** Ends an item, and deletes its input. Returns whether the lease was still valid, as do the next two. */
    finish: (lease: Lease, at: Date, { outcome, details }: JobResult) =>
      writing(() => finish({ lease, values: { outcome, details, done_at: timeText(at) } })),
    /** Ends the work on an item for now. Every process may take it from `dueAt` on; no `renew` changes that time. */
    release: (lease: Lease, state: 'WAITING' | 'BEGUN', dueAt: Date) =>
      writing(() =>
        hasChanged(
          db
            .updateTable('job_items')
            .where(isHeld(lease))
            .set({ state, owner: null, due_at: timeText(dueAt) }),
        ),
      ),
    /** Replaces the facts of an item. */
    saveFacts: (lease: Lease, facts: string) =>
      writing(() => saveFacts({ lease, values: { facts } })),
  };
}

/**
 * Changes items whose leases are valid in one statement, and returns for each whether its lease was. All changes have the same
 * columns.
 */
async function updateLeased(
  db: Database,
  changes: readonly ItemChange[],
  constants: Partial<Pick<JobItemRow, 'state' | 'input' | 'owner'>>,
): Promise<readonly boolean[]> {
  const columns = Object.keys(changes[0]?.values ?? {});
  const rows = changes.map(
    ({ lease, values }) =>
      // PostgreSQL takes a parameter without a type for text.
      sql`(${lease.jobId}, cast(${lease.position} as integer), cast(${lease.fence} as integer), ${sql.join(columns.map((column) => values[column]))})`,
  );
  const set = [
    ...columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`),
    ...Object.entries(constants).map(
      ([column, value]) => sql`${sql.ref(column)} = ${sql.lit(value)}`,
    ),
  ];
  const { rows: updated } = await sql<Pick<JobItemRow, 'job_id' | 'position' | 'fence'>>`
    with changed (job_id, position, fence, ${sql.join(columns.map((column) => sql.ref(column)))})
      as (values ${sql.join(rows)})
    update job_items set ${sql.join(set)} from changed
      where job_items.job_id = changed.job_id and job_items.position = changed.position
        and job_items.fence = changed.fence and job_items.state = 'BEGUN'
    returning job_items.job_id, job_items.position, job_items.fence`.execute(db);
  return changes.map(({ lease }) =>
    updated.some(
      (row) =>
        row.job_id === lease.jobId && row.position === lease.position && row.fence === lease.fence,
    ),
  );
}

async function takeItems(
  db: Database,
  account: string,
  { owner, now, leaseUntil, latest, kinds, limit }: Take,
): Promise<readonly JobItemRow[]> {
  const due = db
    .selectFrom('job_items')
    .select(['job_id', 'position'])
    .where('account', '=', account)
    .where(isOpen)
    .where('state', '<>', literal('HELD'))
    .where(({ eb, or }) =>
      or([eb('due_at', '<=', timeText(now)), eb('due_at', '>', timeText(latest))]),
    )
    .where('kind', 'in', kinds)
    .where(hasJob)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('job_id')
    .limit(literal(limit));
  return (
    db
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
      .execute()
  );
}

/** The taken items in the order in which `take` selects them: an update returns its rows in any order. */
async function withJobs(
  db: Database,
  account: string,
  known: LRUCache<string, JobRecord>,
  rows: readonly JobItemRow[],
): Promise<readonly TakenItem[]> {
  const ofItems = new Map<string, JobRecord>();
  for (const { job_id: id } of rows) {
    const job = known.get(id);
    if (job) ofItems.set(id, job);
  }
  const unknown = [...new Set(rows.map((row) => row.job_id))].filter((id) => !ofItems.has(id));
  if (unknown.length > 0) {
    for (const row of await jobsOfIds(db, account, unknown).execute()) {
      const job = jobOf(row);
      known.set(job.id, job);
      ofItems.set(job.id, job);
    }
  }
  const taken = rows.flatMap((row) => {
    const job = ofItems.get(row.job_id);
    return job ? [{ ...itemOf(row), job }] : [];
  });
  return taken.toSorted(
    (one, other) =>
      one.position - other.position ||
      one.job.createdAt.getTime() - other.job.createdAt.getTime() ||
      (one.jobId < other.jobId ? -1 : 1),
  );
}

async function renewItems(
  db: Database,
  account: string,
  owner: string,
  leaseUntil: Date,
): Promise<void> {
  // Only items that are BEGUN have an owner.
  const owned = db
    .selectFrom('job_items')
    .select(['job_id', 'position'])
    .where('account', '=', account)
    .where('owner', '=', owner);
  await db
    // Two statements that wait for rows of each other would be a deadlock.
    .with('owned', () => (hasSeveralWriters(db) ? owned.forUpdate().skipLocked() : owned))
    .updateTable('job_items')
    .set({ due_at: timeText(leaseUntil) })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('job_id', 'position'),
        'in',
        selectFrom('owned').select(['job_id', 'position']).$asTuple('job_id', 'position'),
      ),
    )
    .execute();
}

/** Whether the lease is valid, and remains valid until the statement has ended. */
export const hasLease =
  (db: Database, lease: Lease): Condition =>
  ({ exists, selectFrom }) => {
    const item = selectFrom('job_items').select('position').where(isHeld(lease));
    return exists(hasSeveralWriters(db) ? item.forShare() : item);
  };

const isHeld =
  ({ jobId, position, fence }: Lease): Condition<'job_items'> =>
  (eb) =>
    eb.and([
      eb('job_id', '=', jobId),
      eb('position', '=', position),
      eb('fence', '=', fence),
      eb('state', '=', literal('BEGUN')),
    ]);

export const hasJob: Condition<'job_items'> = ({ exists, selectFrom }) =>
  exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'job_items.job_id'));

/** The condition of the index `job_items_open` in the same words, so that SQLite uses the index. */
export const isOpen: Condition<'job_items'> = (eb) => eb('state', '<>', literal('DONE'));
