import { type Kysely, sql } from 'kysely';
import { type JournalTables, timeText } from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';
import { columnsOf, createAttemptStore, typed } from './webhook-attempts.ts';
import { createDeliveryStore } from './webhook-leases.ts';
import { progressColumns, webhookOf } from './webhook-rows.ts';
import type {
  ConfiguredWebhook,
  NewWebhook,
  WebhookChanges,
  WebhookOptions,
  WebhookRecord,
  WebhookStore,
} from './webhook-store.ts';

type Database = Kysely<JournalTables>;

/** The webhooks in the database of the journal. Each method is one statement, or statements that may each stand alone. */
export function createWebhookStore(db: Database): WebhookStore {
  const reading = <T>(work: () => Promise<T>) => guarded(work, readFault);
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    list: (account) =>
      reading(async () => {
        const rows = await webhooks(db, account).orderBy('created_at').orderBy('id').execute();
        return rows.map(webhookOf);
      }),
    byId: (account, id) => reading(() => byId(db, account, id)),
    add: (account, webhook, most) => writing(() => addWebhook(db, account, webhook, most)),
    change: (account, id, changes) => writing(() => changeWebhook(db, account, id, changes)),
    rotate: (account, id, { secret, oldUntil }) =>
      writing(async () => {
        const row = await db
          .updateTable('webhooks')
          .where('account', '=', account)
          .where('id', '=', id)
          .where('source', '=', 'API')
          .set(({ ref }) => ({
            secret: secret.reveal(),
            old_secret: ref('secret'),
            old_secret_until: timeText(oldUntil),
          }))
          .returningAll()
          .executeTakeFirst();
        return row ? webhookOf(row) : null;
      }),
    remove: (account, id) =>
      writing(async () => {
        const { numDeletedRows } = await db
          .deleteFrom('webhooks')
          .where('account', '=', account)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        await db
          .deleteFrom('webhook_attempts')
          .where('account', '=', account)
          .where('webhook_id', '=', id)
          .execute();
        return numDeletedRows > 0n;
      }),
    configure: (account, configured, start) =>
      writing(() => configureWebhooks(db, account, configured, start)),
    ...createDeliveryStore(db),
    ...createAttemptStore(db),
  };
}

const webhooks = (db: Database, account: string) =>
  db.selectFrom('webhooks').where('account', '=', account).selectAll();

async function byId(db: Database, account: string, id: string): Promise<WebhookRecord | null> {
  const row = await webhooks(db, account).where('id', '=', id).executeTakeFirst();
  return row ? webhookOf(row) : null;
}

const optionColumns = ({ url, description, types }: WebhookOptions) => ({
  url,
  description,
  types: JSON.stringify(types),
});

/** The columns of a webhook whose first event follows this position. */
const newColumns = (position: number) => ({
  revision: 0,
  ...progressColumns({ ...unfailing, position, missedUntil: null }),
});

const unfailing = { failures: 0, failingSince: null, dueAt: null, suspension: null };

async function addWebhook(
  db: Database,
  account: string,
  { id, secret, createdAt, position, ...options }: NewWebhook,
  most: number,
): Promise<boolean> {
  const values = {
    account,
    id,
    source: 'API' as const,
    created_at: timeText(createdAt),
    ...optionColumns(options),
    ...newColumns(position),
    secret: secret.reveal(),
  };
  const columns = columnsOf(values);
  const row = await db
    .insertInto('webhooks')
    .columns(columns)
    .expression(
      db
        .selectNoFrom(columns.map((column) => typed(values[column]).as(column)))
        .where(({ eb, selectFrom, lit }) =>
          eb(
            selectFrom('webhooks as counted')
              .where('counted.account', '=', account)
              .where('counted.source', '=', 'API')
              .select(({ fn }) => fn.countAll<number>().as('amount')),
            '<',
            lit(most),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

async function changeWebhook(
  db: Database,
  account: string,
  id: string,
  { resume = false, ...options }: WebhookChanges,
): Promise<WebhookRecord | null> {
  const { url, description, types } = options;
  const restarts = resume || url !== undefined;
  const row = await db
    .updateTable('webhooks')
    .where('account', '=', account)
    .where('id', '=', id)
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb(sql.lit(url === undefined ? 1 : 0), '=', sql.lit(1)),
        not(
          exists(
            selectFrom('webhooks as other')
              .select('other.id')
              .where('other.account', '=', account)
              .where('other.url', '=', url ?? '')
              .where('other.id', '<>', id),
          ),
        ),
      ]),
    )
    .set(({ eb, ref }) => ({
      revision: restarts ? eb('revision', '+', 1) : ref('revision'),
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(types && { types: JSON.stringify(types) }),
      ...(restarts && { failures: 0, failing_since: null, due_at: null }),
      ...(resume && {
        state: 'ACTIVE',
        suspended_at: null,
        suspended_reason: null,
        announcement: null,
      }),
    }))
    .returningAll()
    .executeTakeFirst();
  return row ? webhookOf(row) : null;
}

async function configureWebhooks(
  db: Database,
  account: string,
  configured: readonly ConfiguredWebhook[],
  { position, at }: { readonly position: number; readonly at: Date },
): Promise<void> {
  const ids = configured.map(({ id }) => id);
  await db
    .deleteFrom('webhooks')
    .where('account', '=', account)
    .where('source', '=', 'SETTINGS')
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
    .execute();
  for (const { id, ...options } of configured) {
    const stored = await byId(db, account, id);
    if (stored) {
      await changeWebhook(db, account, id, differencesOf(stored, options));
      continue;
    }
    await db
      .insertInto('webhooks')
      .values({
        account,
        id,
        source: 'SETTINGS',
        created_at: timeText(at),
        ...optionColumns(options),
        ...newColumns(position),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The same URL is no change, so that a restart of the gateway does not end the wait after a failure. */
const differencesOf = (
  stored: WebhookOptions,
  { url, ...options }: WebhookOptions,
): WebhookChanges => ({ ...options, ...(url !== stored.url && { url }) });
