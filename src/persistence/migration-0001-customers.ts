import type { Kysely } from 'kysely';

/** The customers and labels of domains. */
export async function createCustomers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('domain_customers')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('customer', 'text')
    .addColumn('since', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('domain_customers_pkey', ['account', 'domain'])
    .execute();
  await db.schema
    .createIndex('domain_customers_by_customer')
    .on('domain_customers')
    .columns(['account', 'customer', 'domain'])
    .execute();
  await db.schema
    .createTable('domain_labels')
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('domain_labels_pkey', ['account', 'domain', 'name'])
    .execute();
  await db.schema
    .createIndex('domain_labels_by_label')
    .on('domain_labels')
    .columns(['account', 'name', 'domain', 'value'])
    .execute();
}
