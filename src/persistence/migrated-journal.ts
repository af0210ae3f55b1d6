import { type Dialect, Kysely } from 'kysely';
import { createJournal } from './journal.ts';
import { migrate } from './migrations.ts';
import type { Journal } from './store.ts';
import type { JournalTables } from './tables.ts';

/**
 * The journal in the database behind a dialect, brought up to date.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when that fails or the database is of a newer version; the dialect is closed then.
 */
export async function openMigratedJournal(dialect: Dialect): Promise<Journal> {
  const db = new Kysely<JournalTables>({ dialect });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return createJournal(db);
}
