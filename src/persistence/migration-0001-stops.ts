import type { Kysely } from 'kysely';

/** The stop of purchases, the proofs that the journal can be written, and leases: of the step `0001-first-release`. */
export async function createStops(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stops')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('proofs')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('filler', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('leases')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('until', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('leases_pkey', ['account', 'name'])
    .execute();
}
