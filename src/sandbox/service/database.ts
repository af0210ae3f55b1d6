import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';

/** Incremented whenever a table changes. A file of another version is refused. */
export const schemaVersion = '1';

/** Children before their parents: the order in which the tables are emptied and dropped. */
const tables = [
  ...['meta', 'balances', 'contacts', 'domains', 'purchases', 'tokens', 'carts'],
  ...['hosting_groups', 'logs', 'resellers'],
];

/** Money is decimal text, instants are epoch milliseconds, flags 0 or 1, lists and maps JSON text. */
const schemaSql = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resellers (
  id INTEGER PRIMARY KEY, shown_id INTEGER NOT NULL, username TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
  name TEXT NOT NULL, currency TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS balances (
  reseller INTEGER NOT NULL REFERENCES resellers (id), currency TEXT NOT NULL, symbol TEXT NOT NULL,
  amount TEXT NOT NULL, PRIMARY KEY (reseller, currency)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, reseller INTEGER NOT NULL, fields TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT, reseller INTEGER NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL,
  registry_status TEXT, auth_code TEXT NOT NULL, locked INTEGER NOT NULL, privacy INTEGER NOT NULL,
  start_at INTEGER NOT NULL, held_since INTEGER NOT NULL, expires_at INTEGER NOT NULL, next_at INTEGER,
  name_servers TEXT NOT NULL, glue TEXT NOT NULL, additional TEXT NOT NULL, registrant INTEGER NOT NULL,
  administrative INTEGER NOT NULL, billing INTEGER NOT NULL, technical INTEGER NOT NULL, UNIQUE (name, reseller)
) STRICT;
CREATE INDEX IF NOT EXISTS domains_by_reseller ON domains (reseller, id);
CREATE INDEX IF NOT EXISTS domains_by_next_at ON domains (next_at) WHERE next_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS purchases (
  id INTEGER PRIMARY KEY, reseller INTEGER NOT NULL, kind TEXT NOT NULL, domain TEXT NOT NULL,
  period INTEGER NOT NULL, price TEXT NOT NULL, currency TEXT NOT NULL, at INTEGER NOT NULL,
  balance_after TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS purchases_by_reseller ON purchases (reseller, id);
CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, user TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS carts (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, details TEXT NOT NULL, total REAL NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS hosting_groups (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, image TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS logs (
  id INTEGER PRIMARY KEY, user TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS logs_by_user ON logs (user);
`;

export type Row = Record<string, SQLOutputValue>;
type Value = string | number | null;

export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens the SQLite file, and creates it and its folder when they do not exist.
 *
 * @throws Error with one sentence when it cannot be opened or was written by another version.
 */
export function openDatabase(file: string, reset: boolean) {
  const connection = open(file);
  const version = prepareSchema(connection, file, reset);
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  return {
    all: (sql: string, ...values: Value[]): readonly Row[] => prepared(sql).all(...values),
    get: (sql: string, ...values: Value[]): Row | undefined => prepared(sql).get(...values),
    /** Returns the id of the row that it inserted. */
    run: (sql: string, ...values: Value[]): number =>
      Number(prepared(sql).run(...values).lastInsertRowid),
    /** Runs `work` in one transaction. An error rolls it back and is thrown again. */
    transaction<T>(work: () => T): T {
      prepared('BEGIN IMMEDIATE').run();
      try {
        const result = work();
        prepared('COMMIT').run();
        return result;
      } catch (error) {
        if (connection.isTransaction) prepared('ROLLBACK').run();
        throw error;
      }
    },
    /** Empties every table. Call it inside a transaction. */
    clear(): void {
      for (const table of tables) connection.exec(`DELETE FROM ${table}`);
    },
    /** Whether the file had data when it was opened. */
    isSeeded: version !== undefined,
    close: (): void => connection.close(),
  };
}

/** Creates the tables, and returns the version of the file; undefined for a new one. */
function prepareSchema(connection: DatabaseSync, file: string, reset: boolean): unknown {
  let version: unknown;
  try {
    // FULL: a confirmed purchase must survive a power failure.
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000',
    );
    if (reset) connection.exec(tables.map((table) => `DROP TABLE IF EXISTS ${table};`).join(''));
    connection.exec(schemaSql);
    version = connection
      .prepare("SELECT value FROM meta WHERE key = 'schema_version'")
      .get()?.value;
  } catch (cause) {
    connection.close();
    throw new Error(`The sandbox cannot use the file ${file} as its database.`, { cause });
  }
  if (version === undefined || version === schemaVersion) return version;
  connection.close();
  throw new Error(
    `The file ${file} was written by another version of the sandbox; start it with --reset to delete its data.`,
  );
}

function open(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    return new DatabaseSync(file);
  } catch (cause) {
    throw new Error(`The sandbox cannot open its database file ${file}.`, { cause });
  }
}
