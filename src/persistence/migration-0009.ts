import { type Kysely, sql } from 'kysely';

/** The step `0009-events` of `migrations.ts`. */
export async function createEventTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watched_subjects')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('seen', 'text', (column) => column.notNull())
    .addColumn('outbox', 'text')
    .addPrimaryKeyConstraint('watched_subjects_pkey', ['account', 'subject'])
    .execute();
  await db.schema
    .createIndex('watched_subjects_outbox')
    .on('watched_subjects')
    .columns(['account', 'subject'])
    .where(sql<boolean>`outbox is not null`)
    .execute();
  await db.schema
    .createTable('events')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('domain', 'text')
    .addColumn('purchase_id', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('caller', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addPrimaryKeyConstraint('events_pkey', ['account', 'position'])
    .execute();
  await db.schema
    .createIndex('events_by_id')
    .unique()
    .on('events')
    .columns(['account', 'id'])
    .execute();
  await db.schema.createIndex('events_by_time').on('events').columns(['account', 'at']).execute();
  await db.schema
    .createTable('event_logs')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('has_baseline', 'integer', (column) => column.notNull())
    .addColumn('deleted_until', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('domain_writes')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('value', 'text')
    .addColumn('caller', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('domain_writes_by_time')
    .on('domain_writes')
    .columns(['account', 'at'])
    .execute();
  // Null for the purchases that settled before there were events.
  await db.schema.alterTable('operations').addColumn('unreported', 'integer').execute();
  await db.schema
    .createIndex('operations_unreported')
    .on('operations')
    .columns(['account', 'settled_at'])
    .where(sql<boolean>`unreported = 1`)
    .execute();
  await db.schema
    .createIndex('operations_by_domain')
    .on('operations')
    .columns(['account', 'domain'])
    .execute();
}
