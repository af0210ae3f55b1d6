import { Socket } from 'node:net';
import { PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Secret } from '../kernel/secret.ts';
import { openMigratedJournal } from './migrated-journal.ts';
import type { Journal } from './store.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Secret;
  /** Connections at most; default 10. */
  readonly connections?: number;
  /** How long a connection or a statement may take; default 5000. */
  readonly timeoutMs?: number;
}

/**
 * The journal in a PostgreSQL database, brought up to date. Replicas on several machines may share it.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the database cannot be reached or is of a newer version.
 */
export async function openPostgresJournal(options: PostgresOptions): Promise<Journal> {
  const { url, connections = 10, timeoutMs = 5_000 } = options;
  const pool = new Pool({
    connectionString: url.reveal(),
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    // Whatever the server's own defaults are: a commit is on its disk when it returns, and a claim that had to wait for
    // another one sees it.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    application_name: 'reseller-graph',
    stream: () => hearing(2 * timeoutMs),
  });
  // A connection that breaks is replaced by the next statement; without listeners it would end the process. The pool
  // listens to the idle ones only, and of one in use the statement under way tells as well.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return openMigratedJournal(new PostgresDialect({ pool }));
}

/** A socket that breaks when it hears nothing for so long: a server that loses its power says no goodbye. */
function hearing(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => socket.destroy(new Error('The server is silent.')));
}
