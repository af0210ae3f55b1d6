import type { Kysely } from 'kysely';
import { oneOf } from '../../persistence/lists.ts';
import { allOf } from '../../persistence/results.ts';
import { type Database, type JournalTables, rowsOf } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';
import { type CalendarFeed, type CalendarTables, calendarFeedsTable } from './table.ts';

const { record: feedOf } = calendarFeedsTable;

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
        const row = calendarFeedsTable.row({ ...feed, account, secretSha256 });
        await db.insertInto('calendar_feeds').values(row).execute();
      }),
    remove: (account: string, id: string) =>
      writing(async () => {
        const feed = db.deleteFrom('calendar_feeds').where((eb) => eb.and({ account, id }));
        await feed.execute();
      }),
  };
}

export type CalendarStore = ReturnType<typeof createCalendarStore>;

const feeds = (db: CalendarDatabase, account: string) =>
  rowsOf(db, 'calendar_feeds', account).selectAll();

export const calendarFeeds = stored('calendarFeeds', createCalendarStore);
