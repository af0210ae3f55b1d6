import type { DomainName } from '../../kernel/domain-name.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { parts } from '../../lib/slices.ts';
import type { WrittenField } from '../../modules/domain/write-log.ts';
import { allOf } from '../../persistence/results.ts';
import { type Database, isOfAccount, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import type { EventTables } from './rows.ts';

export type { WrittenField };

/** A change of a domain that this gateway has sent, or is about to send. */
export interface DomainWrite {
  readonly id: string;
  readonly domain: DomainName;
  readonly field: WrittenField;
  /** The value as text; null for a sync. */
  readonly value: string | null;
  /** The name of the key whose request caused it; null with open access. */
  readonly caller: string | null;
  readonly at: Date;
}

/** SQLite allows 32,766 parameters in a statement. */
const idsPerStatement = 1_000;

/** The recent writes of an account, which explain differences that are found later. */
export function createDomainWriteStore(database: Database) {
  const db = database.$extendTables<EventTables>();
  return {
    record: (account: string, { at, ...write }: DomainWrite) =>
      writing(async () => {
        await db
          .insertInto('domain_writes')
          .values({ account, ...write, at: timeText(at) })
          .execute();
      }),
    list: (account: string): Promise<readonly DomainWrite[]> =>
      reading(() => {
        const writes = db
          .selectFrom('domain_writes')
          .select(['id', 'domain', 'field', 'value', 'caller', 'at'])
          .where('account', '=', account)
          .orderBy('at');
        return allOf(writes, ({ domain, at, ...row }) => ({
          ...row,
          domain: domain as DomainName,
          at: parseInstant(at),
        }));
      }),
    delete: (account: string, ids: readonly string[]) =>
      writing(async () => {
        for (const some of parts(ids, idsPerStatement)) {
          await db
            .deleteFrom('domain_writes')
            .where(isOfAccount(account))
            .where('id', 'in', some)
            .execute();
        }
      }),
  };
}

export type DomainWriteStore = ReturnType<typeof createDomainWriteStore>;
