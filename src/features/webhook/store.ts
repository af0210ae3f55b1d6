import { sql } from 'kysely';
import type { Secret } from '../../kernel/secret.ts';
import { type LeaseRequest, ownsLease, takeLease } from '../../persistence/leases.ts';
import { allOf, firstOf, hasChanged } from '../../persistence/results.ts';
import { type Database, rowsOf, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';
import { columnsOf, createAttemptStore, typed } from './attempt-store.ts';
import {
  progressColumns,
  type WebhookOptions,
  type WebhookProgress,
  type WebhookRecord,
  type WebhookScope,
  webhookOf,
} from './record.ts';
import { type WebhookDatabase, type WebhookTables, webhooksTable } from './table.ts';

export interface NewWebhook extends WebhookOptions, WebhookScope {
  readonly id: string;
  /** Null for a format without signatures. */
  readonly secret: Secret | null;
  readonly createdAt: Date;
  /** Events after this position are delivered. */
  readonly position: number;
}

/** A webhook of the settings. */
export type ConfiguredWebhook = WebhookOptions &
  Pick<WebhookScope, 'format' | 'chatId'> & { readonly id: string };

export interface WebhookChanges extends Partial<WebhookOptions> {
  /** Delivers events again at once. */
  readonly resume?: boolean;
}

interface SecretRotation {
  readonly secret: Secret;
  readonly oldUntil: Date;
}

/** Where new webhooks of the settings begin. */
interface WebhookStart {
  readonly position: number;
  readonly at: Date;
}

/**
 * The webhooks of an account and their progress, over all replicas. One process at a time delivers to a webhook, the owner of
 * its lease: a progress of any other owner changes nothing.
 */
export function createWebhookStore(database: Database) {
  const db = database.$extendTables<WebhookTables>();
  return {
    /** Oldest first. */
    list: (account: string) =>
      reading(() => allOf(webhooks(db, account).orderBy('created_at').orderBy('id'), webhookOf)),
    byId: (account: string, id: string) => reading(() => byId(db, account, id)),
    /** False when another webhook of its owner has the URL, or the owner has `most` already. */
    add: (account: string, webhook: NewWebhook, most: number) =>
      writing(() => addWebhook(db, account, webhook, most)),
    /** The changed webhook; null when it does not exist, or another webhook has the new URL. */
    change: (account: string, id: string, changes: WebhookChanges) =>
      writing(() => changeWebhook(db, account, id, changes)),
    /** The webhook with the new secret; null when it does not exist. The secret before it signs until `oldUntil`. */
    rotate: (account: string, id: string, { secret, oldUntil }: SecretRotation) =>
      writing(() => {
        const rotated = updated(db, account, id)
          .where('source', '=', 'API')
          .set(({ ref }) => ({
            secret: secret.reveal(),
            old_secret: ref('secret'),
            old_secret_until: timeText(oldUntil),
          }));
        return firstOf(rotated.returningAll(), webhookOf);
      }),
    /** Whether the webhook existed. Its attempts and its lease are removed too. */
    remove: (account: string, id: string) => writing(() => removeWebhook(db, account, id)),
    /**
     * Makes the webhooks of the settings equal to these. One whose URL another webhook has is left out. `position` and `at` are
     * those of new ones.
     */
    configure: (account: string, configured: readonly ConfiguredWebhook[], start: WebhookStart) =>
      writing(() => configureWebhooks(db, account, configured, start)),
    /** Acquires or releases the lease of a webhook; false while another process has it. */
    lease: (account: string, id: string, lease: LeaseRequest) =>
      writing(() => takeLease(database, account, leaseOf(id), lease)),
    /**
     * Stores the progress of a webhook. False when it was not stored: the owner has lost the lease, or the webhook was removed or
     * has another revision.
     */
    save: (
      account: string,
      owner: string,
      { id, revision }: Pick<WebhookRecord, 'id' | 'revision'>,
      progress: WebhookProgress,
    ) =>
      writing(() =>
        hasChanged(
          updated(db, account, id)
            .where('revision', '=', revision)
            .where(ownsLease(database, account, leaseOf(id), owner))
            .set(progressColumns(progress)),
        ),
      ),
    ...createAttemptStore(db),
  };
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;

const webhooks = (db: WebhookDatabase, account: string) =>
  rowsOf(db, 'webhooks', account).selectAll();

const updated = (db: WebhookDatabase, account: string, id: string) =>
  db.updateTable('webhooks').where('account', '=', account).where('id', '=', id);

const byId = (db: WebhookDatabase, account: string, id: string): Promise<WebhookRecord | null> =>
  firstOf(webhooks(db, account).where('id', '=', id), webhookOf);

/** The columns of a webhook whose first event follows this position. */
const newColumns = (position: number) => ({
  revision: 0,
  ...progressColumns({ ...unfailing, position, missedUntil: null }),
});

const unfailing = { failures: 0, failingSince: null, dueAt: null, suspension: null };

async function addWebhook(
  db: WebhookDatabase,
  account: string,
  { position, ...webhook }: NewWebhook,
  most: number,
): Promise<boolean> {
  const values = {
    ...webhooksTable.row({ ...webhook, account, source: 'API' }),
    ...newColumns(position),
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
              .where('counted.owner', 'is not distinct from', webhook.owner)
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
  db: WebhookDatabase,
  account: string,
  id: string,
  { resume = false, ...options }: WebhookChanges,
): Promise<WebhookRecord | null> {
  const { url, description, types } = options;
  const restarts = resume || url !== undefined;
  const changed = updated(db, account, id)
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb(sql.lit(url === undefined ? 1 : 0), '=', sql.lit(1)),
        not(
          exists(
            selectFrom('webhooks as other')
              .select('other.id')
              .where('other.account', '=', account)
              .where('other.url', '=', url ?? '')
              .whereRef('other.chat_id', 'is not distinct from', 'webhooks.chat_id')
              .whereRef('other.owner', 'is not distinct from', 'webhooks.owner')
              .where('other.id', '<>', id),
          ),
        ),
      ]),
    )
    .set(({ eb, ref }) => ({
      revision: restarts ? eb('revision', '+', 1) : ref('revision'),
      ...webhooksTable.row({ url, description, types }),
      ...(restarts && { failures: 0, failing_since: null, due_at: null }),
      ...(resume && { state: 'ACTIVE', suspended_at: null, suspended_reason: null }),
    }));
  return firstOf(changed.returningAll(), webhookOf);
}

async function removeWebhook(db: WebhookDatabase, account: string, id: string): Promise<boolean> {
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
  await db
    .deleteFrom('leases')
    .where('account', '=', account)
    .where('name', '=', leaseOf(id))
    .execute();
  return numDeletedRows > 0n;
}

async function configureWebhooks(
  db: WebhookDatabase,
  account: string,
  configured: readonly ConfiguredWebhook[],
  { position, at }: WebhookStart,
): Promise<void> {
  const ids = configured.map(({ id }) => id);
  await db
    .deleteFrom('webhooks')
    .where('account', '=', account)
    .where('source', '=', 'SETTINGS')
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
    .execute();
  for (const { id, format, chatId, ...options } of configured) {
    const found = await byId(db, account, id);
    const stored = found?.format === format && found.chatId === chatId ? found : null;
    // The messages of another chat begin now.
    if (found && !stored) await removeWebhook(db, account, id);
    if (stored) {
      await changeWebhook(db, account, id, differencesOf(stored, options));
      continue;
    }
    await db
      .insertInto('webhooks')
      .values({
        ...webhooksTable.row({
          ...options,
          account,
          id,
          source: 'SETTINGS',
          ...{ labels: [], format, chatId },
          createdAt: at,
        }),
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

const leaseOf = (id: string) => `webhook ${id}`;

export const webhookStore = stored('webhookStore', createWebhookStore);
