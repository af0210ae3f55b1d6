import type { Kysely } from 'kysely';
import type { LeaseRequest } from './leases.ts';
import { type JournalTables, timeText } from './tables.ts';
import { guarded, writeFault } from './unavailable.ts';
import { progressColumns, webhookOf } from './webhook-rows.ts';
import type { WebhookRecord, WebhookStore } from './webhook-store.ts';

type Database = Kysely<JournalTables>;

type DeliveryStore = Pick<WebhookStore, 'lease' | 'release' | 'save'>;

/** The leases of webhooks, and the progress that their owners store. */
export function createDeliveryStore(db: Database): DeliveryStore {
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    lease: (account, id, lease) => writing(() => leaseWebhook(db, account, id, lease)),
    release: (account, id, owner) =>
      writing(async () => {
        await db
          .updateTable('webhooks')
          .where('account', '=', account)
          .where('id', '=', id)
          .where('lease_owner', '=', owner)
          .set({ lease_owner: null, lease_until: null })
          .execute();
      }),
    save: (account, owner, { id, revision }, progress) =>
      writing(async () => {
        const { numUpdatedRows } = await db
          .updateTable('webhooks')
          .where('account', '=', account)
          .where('id', '=', id)
          .where('revision', '=', revision)
          .where('lease_owner', '=', owner)
          .set(progressColumns(progress))
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),
  };
}

async function leaseWebhook(
  db: Database,
  account: string,
  id: string,
  { owner, now, until, latest }: LeaseRequest,
): Promise<WebhookRecord | null> {
  const row = await db
    .updateTable('webhooks')
    .where('account', '=', account)
    .where('id', '=', id)
    .where(({ or, eb }) =>
      or([
        eb('lease_owner', 'is', null),
        eb('lease_owner', '=', owner),
        eb('lease_until', '<=', timeText(now)),
        eb('lease_until', '>', timeText(latest)),
      ]),
    )
    .set({ lease_owner: owner, lease_until: timeText(until) })
    .returningAll()
    .executeTakeFirst();
  return row ? webhookOf(row) : null;
}
