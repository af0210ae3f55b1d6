import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { JournalTables } from './tables.ts';
import { guarded, unavailable } from './unavailable.ts';

/**
 * Every step of the database, by name; they run in the order of their names.
 *
 * A step that was released is never edited: it spells out what it needs and imports nothing of the code of its day.
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
};

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
