import type { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { createExecute } from './statements.ts';

interface Waiting {
  readonly query: CompiledQuery;
  resolve(result: QueryResult<unknown>): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions {
  readonly database: DatabaseSync;
  readonly execute: ReturnType<typeof createExecute>;
  readonly clock: Pick<Clock, 'wait'>;
  /** Repeats an attempt that meets a lock of another process. */
  readonly retryWhileLocked: <T>(attempt: () => T) => Promise<T>;
  /** Resolves when the commits before the call are on the disk. */
  readonly sync: () => Promise<void>;
}

const hasChanged = ({ rows, numAffectedRows }: QueryResult<unknown>): boolean =>
  rows.length > 0 || (numAffectedRows ?? 0n) > 0n;

/** Writes of one transaction. The event loop waits for them, and not for the disk. */
const maxWrites = 100;

/**
 * Returns the function that executes a write. Writes of the same turn of the event loop share a transaction. The promise settles when
 * the commit is on the disk. Other reads see it before that. A decision after such a read is safe, because a call to the upstream
 * waits for a write of its own. A write that fails changes nothing, and the others are committed. The writes of each turn wait for a
 * lock on their own, so `createBatches`, which runs one batch at a time, does not fit.
 */
export function createGroupCommit(options: GroupCommitOptions) {
  const { database, execute, clock, retryWhileLocked, sync } = options;
  const waiting: Waiting[] = [];

  /** Returns what settles each write. */
  const commit = (writes: readonly Waiting[]): readonly (() => void)[] => {
    database.exec('begin immediate');
    try {
      const settled = writes.map(({ query, resolve, reject }) => {
        try {
          const result = execute(query);
          return () => resolve(result);
        } catch (error) {
          // A full disk, for example, ends the whole transaction.
          if (!database.isTransaction) throw error;
          return () => reject(error);
        }
      });
      database.exec('commit');
      return settled;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };

  const commitWaiting = async (): Promise<void> => {
    await clock.wait(0);
    const writes = waiting.splice(0, maxWrites);
    if (waiting.length > 0) void commitWaiting();
    const [first] = writes;
    try {
      // It is a transaction of its own, unless it begins that of a migration.
      if (first && writes.length === 1) {
        const result = await retryWhileLocked(() => execute(first.query));
        if (hasChanged(result)) await sync();
        first.resolve(result);
        return;
      }
      const settled = await retryWhileLocked(() => commit(writes));
      await sync();
      for (const settle of settled) settle();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  };

  return <Row>(query: CompiledQuery): Promise<QueryResult<Row>> =>
    new Promise((resolve, reject) => {
      waiting.push({ query, resolve: (result) => resolve(result as QueryResult<Row>), reject });
      if (waiting.length === 1) void commitWaiting();
    });
}
