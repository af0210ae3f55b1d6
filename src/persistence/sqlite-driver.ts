import { CompiledQuery, type DatabaseConnection, type SqliteDatabase, SqliteDriver } from 'kysely';
import { systemClock } from '../lib/system.ts';
import { JournalFailure } from './unavailable.ts';

export interface LockOptions {
  /** For the sentence about a lock. */
  readonly name: string;
  /** How long a statement waits for a lock of another process. */
  readonly lockTimeoutMs: number;
}

const shortestPauseMs = 5;
const longestPauseMs = 50;

/**
 * Kysely's driver for SQLite. A statement that meets a lock of another process is retried. SQLite itself would wait inside
 * this thread, and stop every request until then.
 */
export class RetryingSqliteDriver extends SqliteDriver {
  readonly #lock: LockOptions;
  /** The connection with an open transaction. All share one of SQLite, so others must wait for its end. */
  #transaction: DatabaseConnection | null = null;

  constructor(database: SqliteDatabase, lock: LockOptions) {
    super({ database });
    this.#lock = lock;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const shared = await super.acquireConnection();
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#retry(connection, () => shared.executeQuery<never>(query)),
      streamQuery: (query, chunkSize) => shared.streamQuery(query, chunkSize),
    };
    return connection;
  }

  /** Takes the write lock at once: a transaction that begins by reading may not wait for it later. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#retry(connection, async () => {
      this.#transaction = connection;
    });
    try {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    } catch (error) {
      this.#transaction = null;
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#transaction = null;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } finally {
      this.#transaction = null;
    }
  }

  async #retry<T>(connection: DatabaseConnection, attempt: () => Promise<T>): Promise<T> {
    const { name, lockTimeoutMs } = this.#lock;
    const endsAtMs = systemClock.monotonicMs() + lockTimeoutMs;
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (this.#transaction === null || this.#transaction === connection) {
        try {
          return await attempt();
        } catch (error) {
          if (!isLocked(error)) throw error;
        }
      }
      if (systemClock.monotonicMs() + pauseMs > endsAtMs) {
        throw new JournalFailure(`Another process has locked the file ${name}.`);
      }
      await systemClock.wait(pauseMs);
    }
  }
}

const sqliteBusy = 5;

/** SQLITE_BUSY, whose extended codes have it in their lowest byte. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === sqliteBusy;
