import { type Kysely, sql } from 'kysely';
import { itemOf } from './job-rows.ts';
import type { ItemGroup, ItemPage, JobCount, JobFacts, JobItem } from './job-store.ts';
import { type JournalTables, literal, timeOf } from './tables.ts';

type Database = Kysely<JournalTables>;

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

const itemStates = (db: Database, jobId: string) =>
  itemsWithPurchase(db)
    .where('job_id', '=', jobId)
    .select(['job_id as jobId', 'job_items.state', 'outcome', 'purchase.state as purchase'])
    .select(({ fn }) => fn.countAll().as('amount'))
    .groupBy(['job_id', 'job_items.state', 'outcome', 'purchase.state']);

export async function countItems(db: Database, jobId: string): Promise<readonly JobCount[]> {
  const endedAt = sql<
    string | null
  >`case when purchase.id is null then done_at else settled_at end`;
  const rows = await itemStates(db, jobId)
    .select(({ fn }) => [fn.min('position').as('first'), fn.max(endedAt).as('endedAt')])
    .execute();
  return rows.map((row) => ({
    ...row,
    amount: Number(row.amount),
    endedAt: timeOf(row.endedAt),
  }));
}

export async function countFacts(db: Database, jobId: string): Promise<readonly JobFacts[]> {
  const rows = await itemStates(db, jobId).select('facts').groupBy('facts').execute();
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }));
}

export async function itemPage(
  db: Database,
  jobId: string,
  { after, limit, groups }: ItemPage,
): Promise<readonly JobItem[]> {
  // As `keyOf` writes it.
  const key = sql<string>`job_items.state || ' ' || coalesce(outcome, '') || ' ' || coalesce(purchase.state, '')`;
  const items = groups
    ? // `in ()` is no SQL for PostgreSQL.
      itemsWithPurchase(db).where(key, 'in', [...groups.map(keyOf), ''])
    : db.selectFrom('job_items');
  const rows = await items
    .selectAll('job_items')
    .where('job_id', '=', jobId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(literal(limit))
    .execute();
  return rows.map(itemOf);
}

const keyOf = ({ state, outcome, purchase }: ItemGroup): string =>
  `${state} ${outcome ?? ''} ${purchase ?? ''}`;

export async function positionOf(
  db: Database,
  jobId: string,
  domain: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('job_items')
    .select('position')
    .where('job_id', '=', jobId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return row?.position ?? null;
}
