import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Clock } from '../lib/clock.ts';
import { syncFolder } from '../lib/files.ts';
import { systemClock } from '../lib/system.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Journal } from './journal.ts';
import { createJournal } from './journal.ts';
import { migrate } from './migrations.ts';
import { TransactionalAdapter } from './sqlite-adapter.ts';
import {
  checkOwner,
  fileFailure,
  prepareFile,
  primaryCode,
  reasonOf,
  unusable,
} from './sqlite-file.ts';
import { createExecute } from './statements.ts';
import type { Table } from './table.ts';
import type { JournalTables } from './tables.ts';
import { JournalFailure } from './unavailable.ts';

export interface SqliteOptions {
  /** Path of the database; its folder is created when missing. */
  readonly file: string;
  /** How long a statement waits for a lock of another process; default 5000. */
  readonly busyTimeoutMs?: number;
  /** Of that wait; default the clock of the system. */
  readonly clock?: LockClock;
  /** Writes what a file has to the disk; default `fdatasync`. */
  readonly syncFile?: ((fd: number) => Promise<void>) | undefined;
  /** The tables of features; default none. */
  readonly tables?: readonly Table[] | undefined;
}

type LockClock = Pick<Clock, 'monotonicMs' | 'wait'>;

/**
 * The journal in one SQLite file, brought up to date. Several processes may share the file, not the machine.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the file cannot be opened, is no journal or is of a newer version.
 */
export async function openSqliteJournal({
  file,
  busyTimeoutMs = 5_000,
  clock = systemClock,
  syncFile = promisify(fdatasync),
  tables,
}: SqliteOptions): Promise<Journal> {
  const database = openDatabase({ file, busyTimeoutMs });
  const retry = createRetryWhileLocked(clock, basename(file), busyTimeoutMs);
  const log = openLog(file, syncFile);
  const connection = createConnection(database, { file, clock, sync: log.sync }, retry);
  const close = async () => {
    await log.close();
    database.close();
  };
  const dialect = sqliteDialect(close, connection, clock);
  const db = new Kysely<JournalTables>({ dialect });
  try {
    await migrate(db, tables);
    await log.sync();
  } catch (error) {
    await db.destroy();
    // Without a cause the message is about the content of the journal.
    throw error instanceof Error && error.cause ? unusable(file, error.cause) : error;
  }
  return createJournal(db);
}

/**
 * The connection. Its commits are on the disk when `openLog` has synced them. Opening waits for a lock; later statements do not, and
 * are retried.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the file cannot be opened or is no journal.
 */
export function openDatabase({
  file,
  busyTimeoutMs = 5_000,
}: Pick<SqliteOptions, 'file' | 'busyTimeoutMs'>): DatabaseSync {
  try {
    prepareFile(file);
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
    try {
      checkOwner(database);
      // Statistics from a time when a table was small make SQLite read all of it. Without them a plan depends on its statement only.
      database.exec('drop table if exists sqlite_stat1; drop table if exists sqlite_stat4');
      // NORMAL: in WAL mode a commit waits for no disk. Auth codes of ended lines are overwritten.
      database.exec(
        'pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on',
      );
      // The first read creates the files beside the database.
      database.exec('select count(*) from sqlite_schema');
      database.exec('pragma busy_timeout = 0');
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (cause) {
    throw unusable(file, cause);
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

/** @throws Fault `JOURNAL_UNAVAILABLE` when it cannot be opened. */
function openToSync(file: string): number {
  try {
    syncFolder(dirname(file));
  } catch {
    // Some network disks have no such operation; SQLite ignores its failure too.
  }
  try {
    return openSync(`${file}-wal`, 'r+');
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/**
 * The write-ahead log, in which the last commits are. `sync` resolves when all that were made before it are on the disk. The event loop
 * does not wait for the disk, and the commits during a sync share the next one. After a failed sync nothing is known of the disk, so
 * later ones fail too.
 */
function openLog(file: string, syncFile: (fd: number) => Promise<void>) {
  const fd = openToSync(file);
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const syncNext = async (): Promise<void> => {
    // A failure of the sync before this one is a failure of this one.
    await running;
    running = next ?? running;
    next = null;
    try {
      await syncFile(fd);
    } catch (cause) {
      throw new JournalFailure(
        `The file ${basename(file)}-wal cannot be written to the disk: ${reasonOf(cause)}; restart the gateway.`,
        { cause },
      );
    }
  };
  return {
    sync: (): Promise<void> => {
      next ??= syncNext();
      return next;
    },
    async close() {
      await Promise.allSettled([next ?? running]);
      closeSync(fd);
    },
  };
}

/** All queries share one connection, so a transaction must be the only use of it: the journal has none, migrations run before. */
function sqliteDialect(
  close: () => Promise<void>,
  connection: DatabaseConnection,
  clock: LockClock,
): Dialect {
  const run = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  // Each executor of the database has the same turns.
  const adapter = new TransactionalAdapter(clock);
  return {
    createAdapter: () => adapter,
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      // Takes the write lock at once: a transaction that begins by reading may not wait for it later.
      beginTransaction: () => run('begin immediate'),
      commitTransaction: () => run('commit'),
      rollbackTransaction: () => run('rollback'),
      releaseConnection: async () => undefined,
      async destroy() {
        // The last writes wait for the end of the turn.
        await clock.wait(0);
        await close();
      },
    }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createConnection(
  database: DatabaseSync,
  { file, clock, sync }: { file: string; clock: LockClock; sync: () => Promise<void> },
  retryWhileLocked: RetryWhileLocked,
): DatabaseConnection {
  const checkFiles = watchFiles(file);
  const run = createExecute(database);
  const withReason = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw fileFailure(file, error) ?? error;
    }
  };
  const execute: typeof run = (query) => withReason(() => run(query));
  const write = createGroupCommit({
    database,
    execute,
    clock,
    sync,
    retryWhileLocked: (attempt) =>
      retryWhileLocked(() => {
        checkFiles();
        return withReason(attempt);
      }),
  });

  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      // A migration is a transaction of its own.
      const isAlone = query.sql.startsWith('select ') || database.isTransaction;
      return isAlone ? retryWhileLocked(() => execute<Row>(query)) : write<Row>(query);
    },
    streamQuery() {
      throw new Error('The journal streams no query.');
    },
  };
}

const minPauseMs = 5;
const maxPauseMs = 50;

type RetryWhileLocked = <T>(attempt: () => T) => Promise<T>;

/**
 * Repeats a statement that meets a lock of another process. SQLite itself would wait inside this thread, and stop every
 * request until then.
 */
const createRetryWhileLocked =
  (clock: LockClock, name: string, lockTimeoutMs: number): RetryWhileLocked =>
  async (attempt) => {
    const endsAtMs = clock.monotonicMs() + lockTimeoutMs;
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        return attempt();
      } catch (error) {
        if (!isLocked(error)) throw error;
      }
      if (clock.monotonicMs() + pauseMs > endsAtMs) {
        throw new JournalFailure(`Another process has locked the file ${name}.`);
      }
      await clock.wait(pauseMs);
    }
  };

const sqliteBusy = 5;

const isLocked = (error: unknown): boolean => primaryCode(error) === sqliteBusy;
