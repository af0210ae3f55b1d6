import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { itemOf, jobOf } from './job-rows.ts';
import type {
  ItemState,
  JobFilter,
  JobItem,
  JobPage,
  JobPosition,
  JobRecord,
} from './job-store.ts';
import type { PurchaseRecord } from './store.ts';
import { type JournalTables, literal, purchaseOf, timeText } from './tables.ts';

type Database = Kysely<JournalTables>;

export const jobs = (db: Database, account: string) =>
  db.selectFrom('jobs').selectAll().where('account', '=', account);

export async function firstJob(query: ReturnType<typeof jobs>): Promise<JobRecord | null> {
  const row = await query.executeTakeFirst();
  return row ? jobOf(row) : null;
}

export async function listJobs(
  db: Database,
  account: string,
  { filter, limit, after, before, fromEnd = false }: JobPage,
): Promise<readonly JobRecord[]> {
  const direction = fromEnd ? 'asc' : 'desc';
  let query = jobs(db, account).where(matches(filter));
  if (after) query = query.where(isBeside('<', after));
  if (before) query = query.where(isBeside('>', before));
  const rows = await query
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(literal(limit))
    .execute();
  const found = rows.map(jobOf);
  return fromEnd ? found.toReversed() : found;
}

export async function countJobs(db: Database, account: string, filter: JobFilter): Promise<number> {
  const { amount } = await db
    .selectFrom('jobs')
    .where('account', '=', account)
    .where(matches(filter))
    .select(({ fn }) => fn.countAll().as('amount'))
    .executeTakeFirstOrThrow();
  return Number(amount);
}

export async function listItems(
  db: Database,
  jobIds: readonly string[],
): Promise<readonly JobItem[]> {
  if (jobIds.length === 0) return [];
  const query = db.selectFrom('job_items').selectAll().where('job_id', 'in', jobIds);
  return (await query.orderBy('job_id').orderBy('position').execute()).map(itemOf);
}

export async function itemsAt(
  db: Database,
  jobId: string,
  positions: readonly number[],
): Promise<readonly JobItem[]> {
  if (positions.length === 0) return [];
  const query = db.selectFrom('job_items').selectAll().where('job_id', '=', jobId);
  return (await query.where('position', 'in', positions).execute()).map(itemOf);
}

/** The newest purchase of a line comes last, and replaces the others. */
export async function purchasesOfLines(
  db: Database,
  account: string,
  orderId: string,
  lines: readonly number[],
): Promise<readonly PurchaseRecord[]> {
  if (lines.length === 0) return [];
  // With a condition for the account SQLite reads all its purchases, because it expects few of them.
  const ofOrder = db.selectFrom('purchases').selectAll().where('order_id', '=', orderId);
  const rows = await ofOrder.where('order_line', 'in', lines).orderBy('ordinal').execute();
  const newest = new Map(rows.map((row) => [row.order_line, row]));
  return [...newest.values()].map(purchaseOf).filter((one) => one.account === account);
}

/** The newest purchase of an item comes last, and replaces the others. */
export async function itemStates(db: Database, jobId: string): Promise<readonly ItemState[]> {
  const rows = await db
    .selectFrom('job_items')
    .leftJoin('purchases', (join) =>
      join.onRef('order_id', '=', 'job_id').onRef('order_line', '=', 'position'),
    )
    .where('job_id', '=', jobId)
    .select(['job_id as jobId', 'position', 'job_items.state', 'outcome', 'done_at as doneAt'])
    .select(['purchases.id as purchaseId', 'purchases.state as purchase', 'settled_at'])
    .orderBy('ordinal')
    .execute();
  const states = rows.map(({ doneAt, settled_at: settledAt, ...state }) => ({
    ...state,
    endedAt: state.purchase === null ? doneAt : settledAt,
  }));
  return [...new Map(states.map((one) => [one.position, one])).values()];
}

type Condition = (eb: ExpressionBuilder<JournalTables, 'jobs'>) => Expression<SqlBool>;

const matches =
  ({ kind, caller, createdAfter, createdBefore }: JobFilter): Condition =>
  (eb) =>
    eb.and([
      eb('kind', '=', kind),
      ...(caller === undefined ? [] : [eb('caller', '=', caller)]),
      ...(createdAfter ? [eb('created_at', '>=', timeText(createdAfter))] : []),
      ...(createdBefore ? [eb('created_at', '<', timeText(createdBefore))] : []),
    ]);

/** On one side of a place: `<` is older. */
const isBeside =
  (side: '<' | '>', { createdAt, id }: JobPosition): Condition =>
  (eb) =>
    eb(eb.refTuple('created_at', 'id'), side, eb.tuple(timeText(createdAt), id));
