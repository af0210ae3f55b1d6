import { type Kysely, sql } from 'kysely';
import { createApprovals } from './migration-0001-approvals.ts';
import { createAudit } from './migration-0001-audit.ts';
import { createCalendarFeeds } from './migration-0001-calendar.ts';
import { createCustomers } from './migration-0001-customers.ts';
import { createProfiles } from './migration-0001-profiles.ts';
import { createStops } from './migration-0001-stops.ts';

/** The step `0001-first-release` of `migrations.ts`. */
export async function createTables(db: Kysely<unknown>): Promise<void> {
  const steps = [
    ...[createPurchases, createStops, createJobs, createKnownDomains, createCustomers],
    ...[createProfiles, createCalendarFeeds, createEvents, createWebhooks, createApprovals],
    createAudit,
  ];
  for (const create of steps) await create(db);
}

async function createPurchases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('purchases')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('caller', 'text')
    .addColumn('customer', 'text')
    .addColumn('order_id', 'text')
    .addColumn('order_line', 'integer')
    .addColumn('period', 'integer', (column) => column.notNull())
    .addColumn('cost_amount', 'text')
    .addColumn('cost_currency', 'text')
    .addColumn('retail_amount', 'text')
    .addColumn('retail_currency', 'text')
    .addColumn('retail_rule', 'integer')
    .addColumn('retail_rate', 'text')
    .addColumn('spend', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('claimed_at', 'text', (column) => column.notNull())
    .addColumn('submitted_at', 'text')
    .addColumn('call_until', 'text')
    .addColumn('quiet_until', 'text')
    .addColumn('settled_at', 'text')
    .addColumn('unreported', 'integer')
    .addColumn('balance_after', 'text')
    .addColumn('accepted_at', 'text')
    .addColumn('read_at', 'text')
    .addColumn('next_read_at', 'text')
    .addColumn('refunded', 'integer')
    .addColumn('fault_code', 'text')
    .addColumn('fault_message', 'text')
    .addColumn('fault_executed', 'text')
    .addColumn('fault_upstream_code', 'text')
    .addColumn('fault_upstream_message', 'text')
    .execute();
  const index = (name: string, columns: readonly string[]) =>
    db.schema
      .createIndex(`purchases_${name}`)
      .on('purchases')
      .columns([...columns]);
  await index('by_key', ['account', 'key']).unique().execute();
  await index('by_ordinal', ['account', 'ordinal']).unique().execute();
  // At most one open purchase of a domain: the promise that money rests on, so the database enforces it.
  await index('open', ['account', 'domain', 'kind'])
    .unique()
    .where(sql<boolean>`state in ('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS')`)
    .execute();
  await index('by_time', ['account', 'claimed_at', 'id']).execute();
  await index('by_domain', ['account', 'domain', 'claimed_at', 'id']).execute();
  await index('by_customer', ['account', 'customer', 'claimed_at', 'id'])
    .where(sql<boolean>`customer is not null`)
    .execute();
  await index('by_order', ['order_id', 'order_line'])
    .where(sql<boolean>`order_id is not null`)
    .execute();
  // What limits count, with all columns that they read.
  await index('spent', ['account', 'claimed_at', 'cost_currency', 'caller', 'spend'])
    .where(sql<boolean>`state not in ('FAILED', 'AWAITING_APPROVAL')`)
    .execute();
  await index('reads', ['account', 'next_read_at'])
    .where(sql<boolean>`state = 'IN_PROGRESS'`)
    .execute();
  // The purchases and refunds of a month.
  await index('accepted', ['account', 'accepted_at', 'id'])
    .where(sql<boolean>`accepted_at is not null`)
    .execute();
  await index('refunded', ['account', 'settled_at', 'id'])
    .where(sql<boolean>`refunded = 1`)
    .execute();
  await index('unreported', ['account', 'settled_at'])
    .where(sql<boolean>`unreported = 1`)
    .execute();
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('caller', 'text')
    .addColumn('customer', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('jobs_by_key')
    .unique()
    .on('jobs')
    .columns(['account', 'kind', 'key'])
    .execute();
  await db.schema
    .createIndex('jobs_by_time')
    .on('jobs')
    .columns(['account', 'kind', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('jobs_by_customer')
    .on('jobs')
    .columns(['account', 'customer', 'kind', 'created_at', 'id'])
    .where(sql<boolean>`customer is not null`)
    .execute();
  await createJobItems(db);
}

async function createJobItems(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job_items')
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('input', 'text')
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('details', 'text')
    .addColumn('owner', 'text')
    .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('done_at', 'text')
    .addPrimaryKeyConstraint('job_items_pkey', ['job_id', 'position'])
    .execute();
  await db.schema
    .createIndex('job_items_open')
    .on('job_items')
    .columns(['account', 'position', 'created_at', 'job_id'])
    .where(sql<boolean>`state in ('WAITING', 'BEGUN')`)
    .execute();
}

async function createKnownDomains(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('known_domains')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('listed', 'integer', (column) => column.notNull())
    .addColumn('added_at', 'text', (column) => column.notNull())
    .addColumn('row', 'text')
    .addColumn('row_at', 'text')
    .addColumn('changed_at', 'text')
    .addColumn('missing_at', 'text')
    .addColumn('removed_at', 'text')
    .addColumn('taken_at', 'text')
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('known_domains_pkey', ['account', 'domain'])
    .execute();
  await db.schema
    .createIndex('known_domains_unlisted')
    .on('known_domains')
    .columns(['account', 'due_at', 'domain'])
    .where(sql<boolean>`listed = 0 and removed_at is null`)
    .execute();
  await db.schema
    .createIndex('known_domains_unread')
    .on('known_domains')
    .columns(['account', 'due_at', 'domain'])
    .where(
      sql<boolean>`listed = 0 and removed_at is null and ("row" is null or changed_at is not null)`,
    )
    .execute();
  await db.schema
    .createIndex('known_domains_taken')
    .on('known_domains')
    .columns(['account', 'taken_at'])
    .where(sql<boolean>`taken_at is not null`)
    .execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('customer', 'text')
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
  await db.schema
    .createIndex('events_by_domain')
    .on('events')
    .columns(['account', 'domain', 'position'])
    .where(sql<boolean>`domain is not null`)
    .execute();
  await db.schema
    .createIndex('events_by_customer')
    .on('events')
    .columns(['account', 'customer', 'position'])
    .where(sql<boolean>`customer is not null`)
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
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('customer', 'text')
    .addColumn('labels', 'text', (column) => column.notNull().defaultTo('[]'))
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
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addPrimaryKeyConstraint('webhooks_pkey', ['account', 'id'])
    .execute();
  await db.schema
    .createIndex('webhooks_by_url')
    .unique()
    .on('webhooks')
    .expression(sql`account, coalesce(owner, ''), url`)
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
