import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The approvals, a part of the step `0001-first-release`. */
export async function createApprovals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('job_kind', 'text')
    .addColumn('domain', 'text')
    .addColumn('caller', 'text')
    .addColumn('customer', 'text')
    .addColumn('rule', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('cost_amount', 'text')
    .addColumn('cost_currency', 'text')
    .addColumn('price_amount', 'text')
    .addColumn('price_currency', 'text')
    .addColumn('requested_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('decided_at', 'text')
    .addColumn('decided_by', 'text')
    .addColumn('reason', 'text')
    .addColumn('unreported', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('approvals_by_time')
    .on('approvals')
    .columns(['account', 'requested_at', 'id'])
    .execute();
  await db.schema
    .createIndex('approvals_open')
    .on('approvals')
    .columns(['account', 'expires_at'])
    .where(sql<boolean>`state in ('REQUESTED', 'GRANTED')`)
    .execute();
  await db.schema
    .createIndex('approvals_by_input')
    .on('approvals')
    .columns(['account', 'fingerprint'])
    .where(sql<boolean>`job_kind is null`)
    .execute();
  await db.schema
    .createIndex('approvals_unreported')
    .on('approvals')
    .columns(['account', 'requested_at'])
    .where(sql<boolean>`unreported = 1`)
    .execute();
  await createTrigger(db);
}

/** The statement that ends the wait for a decision also lets the items of the job be taken. */
async function createTrigger(db: Kysely<unknown>): Promise<void> {
  const release = sql`update job_items set state = 'WAITING' where job_id = new.id and state = 'HELD';`;
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql`create trigger approvals_decided after update of state on approvals
      when new.job_kind is not null begin ${release} end`.execute(db);
    return;
  }
  await sql`create function approvals_release() returns trigger language plpgsql as
    $$ begin ${release} return null; end $$`.execute(db);
  await sql`create trigger approvals_decided after update of state on approvals
    for each row when (new.job_kind is not null) execute function approvals_release()`.execute(db);
}
