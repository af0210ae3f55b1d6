import type { Kysely } from 'kysely';

/** The calendar feeds. */
export async function createCalendarFeeds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('calendar_feeds')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('secret_sha256', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('calendar_feeds_pkey', ['account', 'id'])
    .execute();
  await db.schema
    .createIndex('calendar_feeds_by_secret')
    .unique()
    .on('calendar_feeds')
    .column('secret_sha256')
    .execute();
  await db.schema
    .createIndex('calendar_feeds_by_customer')
    .on('calendar_feeds')
    .columns(['account', 'customer', 'created_at', 'id'])
    .execute();
}
