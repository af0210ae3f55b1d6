import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The audit log, a part of the step `0001-first-release`. */
export async function createAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_logs')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('deleted_until', 'integer', (column) => column.notNull())
    .addColumn('deleted_hash', 'text', (column) => column.notNull())
    .addColumn('input_key', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('audit_entries')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('begun', 'integer')
    .addColumn('operation', 'text')
    .addColumn('domain', 'text')
    .addColumn('caller', 'text')
    .addColumn('customer', 'text')
    .addColumn('tenant', 'text')
    .addColumn('request_id', 'text')
    .addColumn('address', 'text')
    .addColumn('input_hash', 'text')
    .addColumn('outcome', 'text')
    .addColumn('upstream_calls', 'integer')
    .addColumn('previous_hash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_entries_pkey', ['account', 'position'])
    .execute();
  await db.schema
    .createIndex('audit_entries_ends')
    .unique()
    .on('audit_entries')
    .columns(['account', 'begun'])
    .where(sql<boolean>`begun is not null`)
    .execute();
  await db.schema
    .createIndex('audit_entries_by_domain')
    .on('audit_entries')
    .columns(['account', 'domain', 'position'])
    .where(sql<boolean>`domain is not null`)
    .execute();
  await db.schema
    .createIndex('audit_entries_by_time')
    .on('audit_entries')
    .columns(['account', 'at'])
    .execute();
  await createTrigger(db);
}

/** The statement that adds a row also stores its position and hash, so that a row that is removed at the end is missed. */
async function createTrigger(db: Kysely<unknown>): Promise<void> {
  const follow = sql`update audit_logs set position = new.position, hash = new.hash
    where account = new.account and position < new.position;`;
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql`create trigger audit_entries_last after insert on audit_entries begin ${follow} end`.execute(
      db,
    );
    return;
  }
  await sql`create function audit_entries_follow() returns trigger language plpgsql as
    $$ begin ${follow} return null; end $$`.execute(db);
  await sql`create trigger audit_entries_last after insert on audit_entries
    for each row execute function audit_entries_follow()`.execute(db);
}
