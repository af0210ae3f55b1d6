import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Client, DatabaseError, Pool } from 'pg';
import type { Secret } from '../kernel/secret.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import type { Journal } from './journal.ts';
import { createJournal } from './journal.ts';
import { migrate } from './migrations.ts';
import { createReplicas, replicaTables } from './replicas.ts';
import type { Table } from './table.ts';
import type { JournalTables } from './tables.ts';
import { JournalFailure, unavailable } from './unavailable.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Secret;
  /** Maximum number of connections; default 10. */
  readonly connections?: number;
  /** Timeout of a connection and of a statement; default 5000. */
  readonly timeoutMs?: number;
  /**
   * Called with the reason when the database is unavailable at the start, and with null when it becomes available. Until
   * then every use of the journal tries again. Without it opening fails instead.
   */
  readonly onAvailability?: (failure: string | null) => void;
  /** The tables of features; default none. */
  readonly tables?: readonly Table[] | undefined;
}

/**
 * The journal in a PostgreSQL database, brought up to date. Replicas on several machines can share it.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the database is of a newer version, or is not available and there is no
 * `onAvailability`.
 */
export async function openPostgresJournal(options: PostgresOptions): Promise<Journal> {
  const { url, onAvailability, tables = [] } = options;
  const pool = createPool(options);
  const failureOf = (cause: unknown) => new JournalFailure(describeFailure(url, cause), { cause });
  let wasAway = false;
  const migrateOnce = untilDone(async () => {
    await migratePool(pool, [...replicaTables, ...tables], failureOf);
    if (wasAway) onAvailability?.(null);
  });
  try {
    await migrateOnce();
  } catch (error) {
    const isAway = error instanceof JournalFailure;
    if (!isAway || !onAvailability) {
      await pool.end();
      throw isAway ? unavailable(error, { message: error.message }) : error;
    }
    wasAway = true;
    onAvailability(error.message);
  }
  const migrated: PostgresPool = {
    async connect() {
      await migrateOnce();
      try {
        return await pool.connect();
      } catch (error) {
        throw failureOf(error);
      }
    },
    options: pool.options,
    // `close` does it, also for a database that no statement has used.
    end: async () => undefined,
  };
  const db = new Kysely<JournalTables>({ dialect: new PostgresDialect({ pool: migrated }) });
  const replicas = createReplicas(db, {
    createClient: () => createListener(options),
    clock: systemClock,
    randomness: systemRandomness,
  });
  const journal = createJournal(db, replicas);
  const close = async () => {
    await journal.close();
    if (!pool.ending) await pool.end();
  };
  return { ...journal, close };
}

function createPool({ url, connections = 10, timeoutMs = 5_000 }: PostgresOptions): Pool {
  const pool = new Pool({
    connectionString: url.reveal(),
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    // Independent of the server's defaults: a commit is on its disk when it returns, and a claim that had to wait for
    // another one sees it.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    application_name: 'reseller-graph',
    stream: () => socketWithTimeout(2 * timeoutMs),
  });
  // The next statement replaces a broken connection; without listeners it would end the process. The pool listens to
  // idle connections only; one in use reports through its statement as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** A connection that is silent for hours. The system tests whether its server is still there. */
const createListener = ({ url, timeoutMs = 5_000 }: PostgresOptions): Client =>
  new Client({
    connectionString: url.reveal(),
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 2 * timeoutMs,
    application_name: 'reseller-graph',
  });

/** @throws JournalFailure when the database is not available, Fault `JOURNAL_UNAVAILABLE` when it is of a newer version. */
async function migratePool(
  pool: Pool,
  tables: readonly Table[],
  failureOf: (cause: unknown) => JournalFailure,
): Promise<void> {
  try {
    await migrate(new Kysely<JournalTables>({ dialect: new PostgresDialect({ pool }) }), tables);
  } catch (error) {
    // The fault for a newer version has no driver error as its cause.
    if (error instanceof Error && error.cause !== undefined) throw failureOf(error.cause);
    throw error;
  }
}

/** Runs the work until it succeeds once; concurrent callers share a run. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let run: Promise<void> | null = null;
  return () => {
    run ??= work().catch((error: unknown) => {
      run = null;
      throw error;
    });
    return run;
  };
}

/** One sentence without secrets. */
function describeFailure(url: Secret, cause: unknown): string {
  const { hostname, port, pathname } = new URL(url.reveal());
  const database = decodeURIComponent(pathname.slice(1));
  return `The database "${database}" at ${hostname}:${port || 5432} is not available: ${reasonOf(cause)}.`;
}

/** The server's message, such as `database "shop" does not exist`, else the code of the network error. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown error';
  const code = 'code' in cause && !(cause instanceof DatabaseError) ? cause.code : null;
  return typeof code === 'string' ? code : cause.message;
}

/** A socket that is destroyed after this time without data: a server that loses power does not close its connections. */
function socketWithTimeout(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => socket.destroy(new Error('The server is silent.')));
}
