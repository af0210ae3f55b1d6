import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createEventTables } from './migration-0009.ts';
import { createWebhookTables } from './migration-0010.ts';
import { addWebhookLeases } from './migration-0011.ts';
import type { JournalTables } from './tables.ts';
import { guarded, unavailable } from './unavailable.ts';

/**
 * The migrations by name; they run in the order of their names.
 *
 * A released step is never edited. It contains all its SQL, here or in a file of its own, and imports no code that can change.
 */
const migrations: Record<string, Migration> = {
  '0001-operations': {
    async up(db) {
      await db.schema
        .createTable('operations')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('domain', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('period', 'integer', (column) => column.notNull())
        .addColumn('price_amount', 'text')
        .addColumn('price_currency', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('claimed_at', 'text', (column) => column.notNull())
        .addColumn('submitted_at', 'text')
        .addColumn('settled_at', 'text')
        .addColumn('absent_at', 'text')
        .addColumn('fault_code', 'text')
        .addColumn('fault_message', 'text')
        .addColumn('fault_executed', 'text')
        .addColumn('fault_upstream_code', 'text')
        .addColumn('fault_upstream_message', 'text')
        .execute();
      await db.schema
        .createIndex('operations_by_key')
        .unique()
        .on('operations')
        .columns(['account', 'key'])
        .execute();
      // At most one unsettled purchase of a domain: the promise that money rests on, so the database keeps it.
      await db.schema
        .createIndex('operations_unsettled')
        .unique()
        .on('operations')
        .columns(['account', 'domain', 'kind'])
        .where(sql<boolean>`state in ('CLAIMED', 'SENDING', 'PENDING')`)
        .execute();
      await db.schema
        .createIndex('operations_by_time')
        .on('operations')
        .columns(['account', 'claimed_at', 'id'])
        .execute();
    },
  },
  '0002-spend-limits': {
    async up(db) {
      await db.schema.alterTable('operations').addColumn('caller', 'text').execute();
      await db.schema.alterTable('operations').addColumn('spend', 'bigint').execute();
      // The default is taken as soon as there is a purchase, so a gateway that does not count can buy nothing beside us.
      await db.schema
        .alterTable('operations')
        .addColumn('ordinal', 'integer', (column) => column.notNull().defaultTo(1))
        .execute();
      await countPurchases(db);
      await db.schema
        .createIndex('operations_by_ordinal')
        .unique()
        .on('operations')
        .columns(['account', 'ordinal'])
        .execute();
      // What limits count, with all that they look at.
      await db.schema
        .createIndex('operations_spent')
        .on('operations')
        .columns(['account', 'claimed_at', 'price_currency', 'caller', 'spend'])
        .where(sql<boolean>`state <> 'FAILED'`)
        .execute();
      await db.schema
        .createTable('stops')
        .addColumn('account', 'text', (column) => column.primaryKey().notNull())
        .addColumn('since', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '0003-no-absent-at': {
    async up(db) {
      await db.schema.alterTable('operations').dropColumn('absent_at').execute();
    },
  },
  '0004-proofs': {
    async up(db) {
      await db.schema
        .createTable('proofs')
        .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
        .addColumn('at', 'text', (column) => column.notNull())
        .addColumn('filler', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '0005-quiet-until': {
    async up(db) {
      await db.schema.alterTable('operations').addColumn('quiet_until', 'text').execute();
    },
  },
  '0006-transfers': {
    async up(db) {
      for (const name of ['balance_after', 'accepted_at', 'looked_at', 'next_look_at']) {
        await db.schema.alterTable('operations').addColumn(name, 'text').execute();
      }
      await db.schema.alterTable('operations').addColumn('refunded', 'integer').execute();
      // A transfer in progress is an open purchase too, so the index that allows one of a domain has to know it.
      await db.schema.dropIndex('operations_unsettled').execute();
      await db.schema
        .createIndex('operations_open')
        .unique()
        .on('operations')
        .columns(['account', 'domain', 'kind'])
        .where(sql<boolean>`state in ('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS')`)
        .execute();
      await db.schema
        .createIndex('operations_looks')
        .on('operations')
        .columns(['account', 'next_look_at'])
        .where(sql<boolean>`state = 'IN_PROGRESS'`)
        .execute();
    },
  },
  '0007-jobs': {
    async up(db) {
      await db.schema
        .createTable('jobs')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('caller', 'text')
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
      await createJobItems(db);
      await db.schema.alterTable('operations').addColumn('order_id', 'text').execute();
      await db.schema.alterTable('operations').addColumn('order_line', 'integer').execute();
      await db.schema
        .createIndex('operations_by_order')
        .on('operations')
        .columns(['order_id', 'order_line'])
        .where(sql<boolean>`order_id is not null`)
        .execute();
    },
  },
  '0008-known-domains': {
    async up(db) {
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
        .createTable('leases')
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('until', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('leases_pkey', ['account', 'name'])
        .execute();
    },
  },
  '0009-events': { up: createEventTables },
  '0010-webhooks': { up: createWebhookTables },
  '0011-webhook-leases': { up: addWebhookLeases },
  '0012-known-domain-indexes': {
    async up(db) {
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
    },
  },
};

/** Of 0007. */
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
    .where(sql<boolean>`state <> 'DONE'`)
    .execute();
}

/** Of 0002: the tables of that day, not those of today. */
type NumberedTables = {
  readonly operations: { readonly price_amount: string | null; readonly spend: number };
};

/** Of 0002: gives the purchases that are there their numbers in the order of time, and what each counts for. */
async function countPurchases(db: Kysely<NumberedTables>): Promise<void> {
  await sql`update operations set ordinal = numbered.number from (
    select id, row_number() over (partition by account order by claimed_at, id) as number from operations
  ) as numbered where numbered.id = operations.id`.execute(db);
  const amounts = await db.selectFrom('operations').select('price_amount').distinct().execute();
  for (const { price_amount: amount } of amounts) {
    if (amount === null) continue;
    // Exact text with at least four fractional digits; SQLite has no decimals that could do this.
    const [whole = '0', fraction = ''] = amount.split('.');
    const isMore = /[1-9]/.test(fraction.slice(4));
    const units = BigInt(`${whole}${fraction.slice(0, 4).padEnd(4, '0')}`) + (isMore ? 1n : 0n);
    const spend = units < 0n ? 0 : Math.min(Number(units), Number.MAX_SAFE_INTEGER);
    await db.updateTable('operations').set({ spend }).where('price_amount', '=', amount).execute();
  }
}

/** Kysely's own record of the steps that were taken. */
type MigrationTables = { readonly kysely_migration: { readonly name: string } };

/**
 * Brings the database up to this code. Two processes that start at once take turns.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when a step fails, or when a newer version of the gateway has been here.
 */
export async function migrate(db: Kysely<JournalTables>): Promise<void> {
  await guarded(async () => {
    const taken = await takenSteps(db);
    const unknown = taken.find((name) => !(name in migrations));
    if (unknown !== undefined) {
      throw unavailable(undefined, {
        message: `The journal was written by a newer version of this gateway (step "${unknown}"); start that version, or name another journal.`,
      });
    }
    if (taken.length === Object.keys(migrations).length) return;
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  });
}

async function takenSteps(db: Kysely<JournalTables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const steps = db.$extendTables<MigrationTables>();
  const rows = await steps.selectFrom('kysely_migration').select('name').execute();
  return rows.map(({ name }) => name);
}
