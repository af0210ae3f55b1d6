import { sql } from 'kysely';
import type { PurchaseState } from '../kernel/purchase-states.ts';
import { itemOf, type JobItem, type JobItemState, type JobOutcome } from './job-record.ts';
import { oneOf } from './lists.ts';
import { allOf } from './results.ts';
import { stateAt } from './state-at.ts';
import { type Database, literal, timeOf } from './tables.ts';
import { reading } from './unavailable.ts';

/** What distinguishes the states of an item. */
export interface ItemGroup {
  readonly state: JobItemState;
  /** Null unless DONE. */
  readonly outcome: JobOutcome | null;
  /** The state, at the time of the read, of the newest purchase that was claimed for the item; null while there is none. */
  readonly purchase: PurchaseState | null;
}

/** The number of items of a job in one state. */
export interface JobCount extends ItemGroup {
  readonly jobId: string;
  readonly amount: number;
  /** The lowest position of them. */
  readonly first: number;
  /** When the last of them, or its purchase, ended; null when none has. */
  readonly endedAt: Date | null;
}

/** The number of items of a job in one state that have the same facts. */
export interface JobFacts extends ItemGroup, Pick<JobItem, 'jobId' | 'facts'> {
  readonly amount: number;
}

export interface ItemPage {
  /** Only items after this position. */
  readonly after: number;
  readonly limit: number;
  /** Only items that are in these groups at a time. Default: all. */
  readonly groups?: readonly ItemGroup[] | undefined;
  readonly at: Date;
}

/** The state of one item, without its details. */
export interface ItemState extends ItemGroup, Pick<JobItem, 'jobId' | 'position'> {
  /** The id of the newest purchase. */
  readonly purchaseId: string | null;
  /** When the purchase ended, or the item when it has none: ISO 8601 with milliseconds. */
  readonly endedAt: string | null;
}

/** The reads of the items of jobs. */
export const createJobItems = (db: Database) => ({
  /** The items of the jobs, by job and position. */
  items: (jobIds: readonly string[]) =>
    reading(() => {
      const ofJobs = db.selectFrom('job_items').selectAll().where(oneOf('job_id')(jobIds));
      return allOf(ofJobs.orderBy('job_id').orderBy('position'), itemOf);
    }),
  /** A part of the items of a job, by position. */
  page: (jobId: string, page: ItemPage) => reading(() => itemPage(db, jobId, page)),
  /** The items of a job at these positions, in no order. */
  itemsAt: (jobId: string, positions: readonly number[]) =>
    reading(() => {
      const ofJob = db.selectFrom('job_items').selectAll().where('job_id', '=', jobId);
      return allOf(ofJob.where(oneOf('position')(positions)), itemOf);
    }),
  /** The state of each item of a job, in no order. Of many jobs, one statement would occupy the thread for too long. */
  states: (jobId: string, at: Date) => reading(() => itemStates(db, jobId, at)),
  /** The items of a job, counted by state, outcome and state of their newest purchase; in no order. */
  counts: (jobId: string, at: Date) => reading(() => countItems(db, jobId, at)),
  /** The same, counted by their facts too. */
  facts: (jobId: string, at: Date) => reading(() => countFacts(db, jobId, at)),
});

/** The newest purchase of an item comes last, and replaces the others. */
async function itemStates(db: Database, jobId: string, at: Date): Promise<readonly ItemState[]> {
  const rows = await db
    .selectFrom('job_items')
    .leftJoin('purchases', (join) =>
      join.onRef('order_id', '=', 'job_id').onRef('order_line', '=', 'position'),
    )
    .where('job_id', '=', jobId)
    .select(['job_id as jobId', 'position', 'job_items.state', 'outcome', 'done_at as doneAt'])
    .select(['purchases.id as purchaseId', 'settled_at'])
    .select(purchaseState('purchases', at))
    .orderBy('ordinal')
    .execute();
  const states = rows.map(({ doneAt, settled_at: settledAt, ...state }) => ({
    ...state,
    endedAt: state.purchase === null ? doneAt : settledAt,
  }));
  return [...new Map(states.map((one) => [one.position, one])).values()];
}

/** The items with their purchases. An item that was restarted can have several; the newest one counts. */
const itemsWithPurchase = (db: Database) =>
  db
    .selectFrom('job_items')
    .leftJoin('purchases as purchase', (join) =>
      join.on(({ eb, selectFrom }) =>
        eb(
          'purchase.id',
          '=',
          selectFrom('purchases')
            .select('purchases.id')
            .whereRef('order_id', '=', 'job_items.job_id')
            .whereRef('order_line', '=', 'job_items.position')
            .orderBy('ordinal', 'desc')
            .limit(literal(1)),
        ),
      ),
    );

/** Null without a purchase. */
const purchaseState = (purchases: string, at: Date) =>
  stateAt(purchases, at).$castTo<PurchaseState | null>().as('purchase');

const itemGroups = (db: Database, jobId: string, at: Date) =>
  itemsWithPurchase(db)
    .where('job_id', '=', jobId)
    .select(['job_id as jobId', 'job_items.state', 'outcome'])
    .select(purchaseState('purchase', at))
    .select(({ fn }) => fn.countAll().as('amount'))
    // The name of the selected state: two equal expressions with parameters differ for PostgreSQL.
    .groupBy(['job_id', 'job_items.state', 'outcome', sql.ref('purchase')]);

async function countItems(db: Database, jobId: string, at: Date): Promise<readonly JobCount[]> {
  const endedAt = sql<
    string | null
  >`case when purchase.id is null then done_at else settled_at end`;
  const rows = await itemGroups(db, jobId, at)
    .select(({ fn }) => [fn.min('position').as('first'), fn.max(endedAt).as('endedAt')])
    .execute();
  return rows.map((row) => ({
    ...row,
    amount: Number(row.amount),
    endedAt: timeOf(row.endedAt),
  }));
}

async function countFacts(db: Database, jobId: string, at: Date): Promise<readonly JobFacts[]> {
  const rows = await itemGroups(db, jobId, at).select('facts').groupBy('facts').execute();
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

function itemPage(
  db: Database,
  jobId: string,
  { after, limit, groups, at }: ItemPage,
): Promise<readonly JobItem[]> {
  // As `keyOf` writes it.
  const key = sql<string>`job_items.state || ' ' || coalesce(outcome, '') || ' ' || coalesce(${stateAt('purchase', at)}, '')`;
  const items = groups
    ? // `in ()` is no SQL for PostgreSQL.
      itemsWithPurchase(db).where(key, 'in', [...groups.map(keyOf), ''])
    : db.selectFrom('job_items');
  const page = items
    .selectAll('job_items')
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(literal(limit));
  return allOf(page, itemOf);
}

const keyOf = ({ state, outcome, purchase }: ItemGroup): string =>
  `${state} ${outcome ?? ''} ${purchase ?? ''}`;
