import { mkdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { systemClock } from '../kernel/system.ts';
import { openMigratedJournal } from './migrated-journal.ts';
import type { Journal } from './store.ts';
import { JournalFailure, unavailable } from './unavailable.ts';

export interface SqliteOptions {
  /** Path of the database; its folder is made when missing. */
  readonly file: string;
  /** How long a statement waits for a lock of another process; default 5000. */
  readonly busyTimeoutMs?: number;
}

/** How long one attempt at a locked file may block this process, and how long it runs freely before the next one. */
const attemptMs = 50;
const pauseMs = 100;

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
  const retry = new LockRetry(file, busyTimeoutMs);
  return openMigratedJournal(sqliteDialect(database, watchFiles(file), retry));
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
      database.exec(`pragma busy_timeout = ${attemptMs}`);
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

/**
 * Retries statements that meet a lock of another process, until their time is over. SQLite itself would wait inside this
 * thread, and stop every request until then.
 */
class LockRetry {
  readonly #file: string;
  readonly #timeoutMs: number;
  /** One write at a time attempts to take the lock; the others wait for it. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(file: string, timeoutMs: number) {
    this.#file = file;
    this.#timeoutMs = timeoutMs;
  }

  read<T>(attempt: () => Promise<T>): Promise<T> {
    return this.#repeat(attempt, this.#end());
  }

  write<T>(attempt: () => Promise<T>): Promise<T> {
    const endsAtMs = this.#end();
    const write = this.#lastWrite.then(() => {
      if (systemClock.monotonicMs() > endsAtMs) throw this.#locked();
      return this.#repeat(attempt, endsAtMs);
    });
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  #locked(): JournalFailure {
    return new JournalFailure(`Another process has locked the file ${basename(this.#file)}.`);
  }

  #end(): number {
    return systemClock.monotonicMs() + this.#timeoutMs;
  }

  async #repeat<T>(attempt: () => Promise<T>, endsAtMs: number): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (systemClock.monotonicMs() + pauseMs > endsAtMs) throw this.#locked();
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

/** Kysely's SQLite dialect over `node:sqlite`. `beforeWrite` may throw, and then nothing is written. */
function sqliteDialect(database: DatabaseSync, beforeWrite: () => void, retry: LockRetry): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new RetryingDriver(adapt(database, beforeWrite), retry),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** A migration is all or nothing: SQLite can undo DDL, though kysely's adapter does not say so. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const isRead = (sql: string): boolean => sql.startsWith('select ');

class RetryingDriver extends SqliteDriver {
  readonly #retry: LockRetry;
  #connection: DatabaseConnection | null = null;

  constructor(database: SqliteDatabase, retry: LockRetry) {
    super({ database });
    this.#retry = retry;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= this.#retrying(await super.acquireConnection());
    return this.#connection;
  }

  #retrying(connection: DatabaseConnection): DatabaseConnection {
    return {
      executeQuery: (query) => {
        const attempt = () => connection.executeQuery<never>(query);
        return isRead(query.sql) ? this.#retry.read(attempt) : this.#retry.write(attempt);
      },
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  /** A transaction takes the write lock at once: one that begins by reading may not wait for it later. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Lists of many lengths make many texts; past this many the oldest statement goes. */
const keptStatements = 100;

function adapt(database: DatabaseSync, beforeWrite: () => void): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      if (!isRead(sql)) beforeWrite();
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
