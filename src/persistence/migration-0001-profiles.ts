import type { Kysely } from 'kysely';

/** Of the step `0001-first-release`. The customer is empty for the reseller, so that one index makes all names unique. */
export async function createProfiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_profiles')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('contact', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('contact_profiles_pkey', ['account', 'id'])
    .execute();
  await db.schema
    .createIndex('contact_profiles_by_name')
    .unique()
    .on('contact_profiles')
    .columns(['account', 'customer', 'name'])
    .execute();
  await db.schema
    .createTable('purchase_defaults')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('customer', 'text', (column) => column.notNull())
    .addColumn('profile_id', 'text')
    .addColumn('name_servers', 'text')
    .addColumn('privacy_protected', 'integer')
    .addColumn('transfer_locked', 'integer')
    .addPrimaryKeyConstraint('purchase_defaults_pkey', ['account', 'customer'])
    .execute();
}
