import type { Kysely } from 'kysely';

/** The step `0010-webhooks`. */
export async function createWebhookTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('types', 'text', (column) => column.notNull())
    .addColumn('secret', 'text')
    .addColumn('old_secret', 'text')
    .addColumn('old_secret_until', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('suspended_at', 'text')
    .addColumn('suspended_reason', 'text')
    .addColumn('announcement', 'text')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('missed_until', 'integer')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failing_since', 'text')
    .addColumn('due_at', 'text')
    .addPrimaryKeyConstraint('webhooks_pkey', ['account', 'id'])
    .execute();
  await db.schema
    .createIndex('webhooks_by_url')
    .unique()
    .on('webhooks')
    .columns(['account', 'url'])
    .execute();
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('next_at', 'text')
    .addPrimaryKeyConstraint('webhook_attempts_pkey', ['account', 'webhook_id', 'at', 'id'])
    .execute();
}
