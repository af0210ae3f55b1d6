import { mkdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { systemClock } from '../lib/system.ts';
import { createJournal } from './journal.ts';
import { migrate } from './migrations.ts';
import type { Journal } from './store.ts';
import type { JournalTables } from './tables.ts';
import { JournalFailure, unavailable } from './unavailable.ts';

export interface SqliteOptions {
  /** Path of the database; its folder is created when missing. */
  readonly file: string;
  /** How long a statement waits for a lock of another process; default 5000. */
  readonly busyTimeoutMs?: number;
}

/**
 * The journal in one SQLite file, brought up to date. Several processes may share the file, not the machine.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the file cannot be opened, is no database or is of a newer version.
 */
export async function openSqliteJournal({
  file,
  busyTimeoutMs = 5_000,
}: SqliteOptions): Promise<Journal> {
  const database = openDatabase({ file, busyTimeoutMs });
  const lock = { name: basename(file), lockTimeoutMs: busyTimeoutMs };
  const dialect = sqliteDialect(database, watchFiles(file), lock);
  const db = new Kysely<JournalTables>({ dialect });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return createJournal(db);
}

/**
 * The connection, set up so that a commit is on the disk when it returns. Opening waits for a lock; later statements do
 * not, and are retried.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the file cannot be opened or is no database.
 */
export function openDatabase({ file, busyTimeoutMs = 5_000 }: SqliteOptions): DatabaseSync {
  const message = `The journal cannot use the file ${file} as its database.`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file, {
      timeout: busyTimeoutMs,
      enableForeignKeyConstraints: true,
    });
    try {
      // FULL: in WAL mode the default, NORMAL, may lose the last commits with the power.
      database.exec('pragma journal_mode = wal; pragma synchronous = full');
      // The first read creates the files beside the database.
      database.exec('select count(*) from sqlite_schema');
      database.exec('pragma busy_timeout = 0');
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (cause) {
    throw unavailable(cause, { message });
  }
}

/**
 * A check that the database and the two files beside it are the ones that were opened.
 *
 * SQLite continues with a file that was removed or replaced, and loses its later writes at the next start.
 */
function watchFiles(file: string): () => void {
  const identify = (path: string): string | null => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.dev}:${stats.ino}` : null;
  };
  const opened = ['', '-wal', '-shm'].map((ending) => {
    const path = `${file}${ending}`;
    return { path, identity: identify(path) };
  });
  return () => {
    for (const { path, identity } of opened) {
      if (identify(path) === identity) continue;
      throw new JournalFailure(
        `The file ${basename(path)} was removed or replaced while the gateway was running; restore it or restart the gateway.`,
      );
    }
  };
}

/** Kysely's SQLite dialect over `node:sqlite`. `beforeWrite` may throw, and then nothing is written. */
function sqliteDialect(
  database: DatabaseSync,
  beforeWrite: () => void,
  lock: LockOptions,
): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new RetryingSqliteDriver(adapt(database, beforeWrite), lock),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** What our driver can do, and kysely's adapter denies. */
class TransactionalAdapter extends SqliteAdapter {
  /** A statement that waits for a lock holds up no other; the driver keeps others out of a transaction. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** A migration is all or nothing: SQLite can undo DDL. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Lists of many lengths make many texts; past this many the oldest statement goes. */
const keptStatements = 100;

function adapt(database: DatabaseSync, beforeWrite: () => void): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      if (!sql.startsWith('select ')) beforeWrite();
      const known = statements.get(sql);
      if (known) return known;
      const statement = prepare(database, sql);
      const [oldest] = statements.keys();
      if (oldest !== undefined && statements.size >= keptStatements) statements.delete(oldest);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  // The tables hold text and integers only, and so do the parameters.
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

interface LockOptions {
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
class RetryingSqliteDriver extends SqliteDriver {
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
