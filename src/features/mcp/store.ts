import type { RecordOf } from '../../persistence/table.ts';
import { type Database, literal, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';
import { type HandleTables, handlesTable } from './table.ts';

export type StoredHandle = RecordOf<typeof handlesTable>;

/** Of a caller; the handles that expire first are deleted. */
const maxHandles = 100;

/** The quotes and previews of tools, of all accounts. They are encrypted, and the key is not stored. */
export function createHandleStore(database: Database) {
  const db = database.$extendTables<HandleTables>();
  return {
    /** Deletes expired handles too, some of those of all accounts. */
    add: (account: string, handle: StoredHandle, now: Date) =>
      writing(async () => {
        const row = handlesTable.row({ ...handle, account });
        const { caller } = row;
        await db.insertInto('handles').values(row).execute();
        const latest = db
          .selectFrom('handles')
          .select('id')
          .where((eb) => eb.and({ account, caller }))
          .orderBy('expires_at', 'desc')
          .orderBy('id')
          .limit(literal(maxHandles));
        const expired = db
          .selectFrom('handles')
          .select('id')
          .where('expires_at', '<=', timeText(now))
          .limit(literal(maxHandles));
        // Two statements: of a condition with `or`, PostgreSQL reads all handles.
        await db.deleteFrom('handles').where('id', 'in', expired).execute();
        await db
          .deleteFrom('handles')
          .where((eb) => eb.and({ account, caller }))
          .where('id', 'not in', latest)
          .execute();
      }),
    /** Null when there is none, or it has expired. */
    find: (account: string, id: string, now: Date) =>
      reading(async () => {
        const row = await db
          .selectFrom('handles')
          .where((eb) => eb.and({ id, account }))
          .where('expires_at', '>', timeText(now))
          .select(['tool', 'input'])
          .executeTakeFirst();
        return row ?? null;
      }),
  };
}

export type HandleStore = ReturnType<typeof createHandleStore>;

export const handles = stored('handles', createHandleStore);
