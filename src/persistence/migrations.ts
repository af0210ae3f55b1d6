import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { createTables } from './migration-0001.ts';
import type { JournalTables } from './tables.ts';
import { guarded, unavailable } from './unavailable.ts';

/**
 * The migrations by name; they run in the order of their names.
 *
 * A released step is never edited. It contains all its SQL, here or in a file of its own, and imports no code that can change.
 */
const migrations: Record<string, Migration> = {
  '0001-tables': { up: createTables },
};

/** The first steps of the journals before the first release, which had other tables. */
const earlierSteps: readonly string[] = [
  ...['0001-operations', '0001-purchases', '0001-journal', '0001-first-release'],
];

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
    if (taken.some((name) => earlierSteps.includes(name))) {
      throw unavailable(undefined, {
        message:
          'The journal was written by a development version before the first release, whose tables this version cannot read; name another journal, or delete that one.',
      });
    }
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
