import type { Kysely } from 'kysely';
import { parseInstant } from '../../kernel/instant.ts';
import type { LabelCondition } from '../../kernel/label.ts';
import { oneOf } from '../../persistence/lists.ts';
import { allOf } from '../../persistence/results.ts';
import { type Database, type JournalTables, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';

/** A file of expiry dates that a calendar program reads without a key. It is never changed. */
export interface CalendarFeed {
  readonly id: string;
  /** Whose domains it has; null for all domains of the account. */
  readonly customer: string | null;
  readonly name: string;
  /** Conditions for the labels of its domains; empty for none. */
  readonly labels: readonly LabelCondition[];
  readonly createdAt: Date;
}

type CalendarFeedRow = {
  readonly account: string;
  readonly id: string;
  /** Empty for a feed of the reseller. */
  readonly customer: string;
  readonly name: string;
  /** JSON: conditions for the labels of its domains. */
  readonly labels: string;
  readonly secret_sha256: string;
  readonly created_at: string;
};

type CalendarTables = { readonly calendar_feeds: CalendarFeedRow };

type CalendarDatabase = Kysely<JournalTables & CalendarTables>;

/** The calendar feeds of all accounts. Their secrets are stored as hashes only. */
export function createCalendarStore(database: Database) {
  const db = database.$extendTables<CalendarTables>();
  return {
    byIds: (account: string, ids: readonly string[]) =>
      reading(() => allOf(feeds(db, account).where(oneOf('id')(ids)), feedOf)),
    /** Those of a customer, or of the reseller, oldest first. */
    list: (account: string, customer: string | null) =>
      reading(() => {
        const own = feeds(db, account).where('customer', '=', customer ?? '');
        return allOf(own.orderBy('created_at').orderBy('id'), feedOf);
      }),
    /** The feed with this secret and its account; null for an unknown secret. */
    bySecret: (secretSha256: string) =>
      reading(async () => {
        const row = await db
          .selectFrom('calendar_feeds')
          .where('secret_sha256', '=', secretSha256)
          .selectAll()
          .executeTakeFirst();
        return row ? { account: row.account, feed: feedOf(row) } : null;
      }),
    add: (account: string, feed: CalendarFeed, secretSha256: string) =>
      writing(async () => {
        const { customer, labels, createdAt, ...values } = feed;
        await db
          .insertInto('calendar_feeds')
          .values({
            ...values,
            account,
            customer: customer ?? '',
            labels: JSON.stringify(labels),
            secret_sha256: secretSha256,
            created_at: timeText(createdAt),
          })
          .execute();
      }),
    remove: (account: string, id: string) =>
      writing(async () => {
        await db
          .deleteFrom('calendar_feeds')
          .where('account', '=', account)
          .where('id', '=', id)
          .execute();
      }),
  };
}

export type CalendarStore = ReturnType<typeof createCalendarStore>;

const feeds = (db: CalendarDatabase, account: string) =>
  db.selectFrom('calendar_feeds').where('account', '=', account).selectAll();

const feedOf = (row: CalendarFeedRow): CalendarFeed => ({
  id: row.id,
  customer: row.customer || null,
  name: row.name,
  labels: JSON.parse(row.labels),
  createdAt: parseInstant(row.created_at),
});

export const calendarFeeds = stored('calendarFeeds', createCalendarStore);
