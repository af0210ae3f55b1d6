import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
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
import { openMigratedJournal } from './migrated-journal.ts';
import type { Journal } from './store.ts';
import { unavailable } from './unavailable.ts';

export interface SqliteOptions {
  /** Path of the database; its folder is made when missing. */
  readonly file: string;
  /** How long a statement waits for another process. It stops this whole process meanwhile. */
  readonly busyTimeoutMs?: number;
}

/**
 * The journal in one SQLite file, brought up to date. Several processes may share the file, not the machine.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the file cannot be opened, is no database or is of a newer version.
 */
export async function openSqliteJournal(options: SqliteOptions): Promise<Journal> {
  const database = openDatabase(options);
  return openMigratedJournal(sqliteDialect(database, fileWatch(options.file)));
}

/**
 * The connection, set up so that a commit is on the disk when it returns.
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
 * A check that the path still leads to the file that is there now.
 *
 * SQLite goes on with a file that was removed or replaced, and what it writes then is gone after the next start.
 */
function fileWatch(file: string): () => void {
  const identity = () => {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  };
  const opened = identity();
  return () => {
    if (identity() !== opened) throw new Error(`${file} is not the file that was opened.`);
  };
}

/** Kysely's SQLite dialect over `node:sqlite`. `beforeWrite` may throw, and then nothing is written. */
function sqliteDialect(database: DatabaseSync, beforeWrite: () => void): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver({ database: adapt(database, beforeWrite) }),
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

/** A transaction takes the write lock at once: one that begins by reading may not wait for it later. */
class ImmediateDriver extends SqliteDriver {
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
