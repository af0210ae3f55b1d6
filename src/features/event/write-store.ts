import { parts } from '../../lib/slices.ts';
import type { WrittenField } from '../../modules/domain/write.ts';
import { allOf } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import { type Database, isOfAccount } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { type EventTables, writesTable } from './table.ts';

export type { WrittenField };

export type DomainWrite = RecordOf<typeof writesTable>;

/** SQLite allows 32,766 parameters in a statement. */
const idsPerStatement = 1_000;

/** The recent writes of an account, which explain differences that are found later. */
export function createDomainWriteStore(database: Database) {
  const db = database.$extendTables<EventTables>();
  return {
    record: (account: string, write: DomainWrite) =>
      writing(async () => {
        const row = writesTable.row({ ...write, account });
        await db.insertInto('domain_writes').values(row).execute();
      }),
    list: (account: string): Promise<readonly DomainWrite[]> =>
      reading(() => {
        const writes = db.selectFrom('domain_writes').select(writesTable.columns);
        return allOf(writes.where('account', '=', account).orderBy('at'), writesTable.record);
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
