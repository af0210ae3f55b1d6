import { proofIds } from './core-tables.ts';
import { createCustomerStore } from './customer-store.ts';
import { createJobStore } from './job-store.ts';
import { createPurchaseStore } from './purchase-store.ts';
import type { Replicas } from './replicas.ts';
import { type Database, timeOf, timeText } from './tables.ts';
import { guarded, reading, writing } from './unavailable.ts';

/**
 * The journal over any database that kysely speaks to. `migrate` has run before.
 *
 * Each method is one statement, or statements of which each may stand alone: no transaction is ever open between two. Every
 * write is durable before its promise resolves.
 *
 * All methods, also those of its stores, throw Fault `JOURNAL_UNAVAILABLE` when the database cannot be used.
 */
export const createJournal = (db: Database, replicas: Replicas | null = null) => ({
  /** For the stores of features. */
  database: db,
  ...createPurchaseStore(db),
  jobs: createJobStore(db),
  /** Null for a database of one machine. */
  replicas,
  customers: createCustomerStore(db),
  /** Writes durably, to check that a purchase could be written now. */
  checkWritable: (at: Date) =>
    writing(async () => {
      await db
        .insertInto('proofs')
        .values({ id: proofIds.writable, at: timeText(at), filler })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: timeText(at), filler }))
        .execute();
    }),
  /** When the last backup was made; null for none, and for PostgreSQL, which `pg_dump` copies. */
  lastBackup: () =>
    reading(async () => {
      const proofs = db.selectFrom('proofs').where('id', '=', proofIds.backup);
      const row = await proofs.select('at').executeTakeFirst();
      return timeOf(row?.at ?? null);
    }),
  close: () =>
    guarded(async () => {
      await replicas?.close();
      await db.destroy();
    }),
});

export type Journal = ReturnType<typeof createJournal>;

const filler = '0'.repeat(32 * 1024);
