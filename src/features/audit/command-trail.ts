import type { CommandTrail } from '../../kernel/recorder.ts';
import { parts } from '../../lib/slices.ts';
import { systemClock } from '../../lib/system.ts';
import type { Database } from '../../persistence/tables.ts';
import { createAuditStore } from './store.ts';

/** Entries of one statement. */
const entriesPerStatement = 100;

export function createCommandTrail(database: Database, account: string): CommandTrail {
  const store = createAuditStore(database);
  const now = () => systemClock.now();
  return {
    async begin(operation) {
      const [begun = 0] = await store.append(account, [{ at: now(), operation, end: null }]);
      return async (end) => void (await store.append(account, [{ at: now(), begun, end }]));
    },
    async add(operations, end) {
      for (const part of parts(operations, entriesPerStatement)) {
        const at = now();
        await store.append(
          account,
          part.map((operation) => ({ at, operation, end })),
        );
      }
    },
  };
}
