import type { Kysely } from 'kysely';

/** The step `0011-webhook-leases`. */
export async function addWebhookLeases(db: Kysely<unknown>): Promise<void> {
  // One column at a time: SQLite cannot add two.
  for (const column of ['lease_owner', 'lease_until']) {
    await db.schema.alterTable('webhooks').addColumn(column, 'text').execute();
  }
}
