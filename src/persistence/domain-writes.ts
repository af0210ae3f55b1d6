import type { Kysely } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant } from '../kernel/instant.ts';
import type { DomainWriteStore } from './domain-write-store.ts';
import { type JournalTables, timeText } from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';

/** SQLite allows 32,766 parameters in a statement. */
const idsPerStatement = 1_000;

/** The writes of domains in the database of the journal. */
export const createDomainWriteStore = (db: Kysely<JournalTables>): DomainWriteStore => ({
  record: (account, { at, ...write }) =>
    guarded(async () => {
      await db
        .insertInto('domain_writes')
        .values({ account, ...write, at: timeText(at) })
        .execute();
    }, writeFault),
  list: (account) =>
    guarded(async () => {
      const rows = await db
        .selectFrom('domain_writes')
        .select(['id', 'domain', 'field', 'value', 'caller', 'at'])
        .where('account', '=', account)
        .orderBy('at')
        .execute();
      return rows.map(({ domain, at, ...row }) => ({
        ...row,
        domain: domain as DomainName,
        at: parseInstant(at),
      }));
    }, readFault),
  delete: (account, ids) =>
    guarded(async () => {
      for (let from = 0; from < ids.length; from += idsPerStatement) {
        await db
          .deleteFrom('domain_writes')
          .where('account', '=', account)
          .where('id', 'in', ids.slice(from, from + idsPerStatement))
          .execute();
      }
    }, writeFault),
});
