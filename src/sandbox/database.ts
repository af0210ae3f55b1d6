import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { schemaSql, schemaVersion, tables } from './schema.ts';

/** The SQLite file: prepared statements and transactions. */
export interface Database {
  prepare(sql: string): StatementSync;
  /** Runs `work` in one transaction; an error rolls it back and is rethrown. */
  transaction<T>(work: () => T): T;
  /** Empties every table. Call it inside a transaction. */
  clear(): void;
  /** Whether the demo data was written. */
  isSeeded(): boolean;
  close(): void;
}

/**
 * Opens the file, and creates it and its folder when they do not exist.
 *
 * @throws Error with one sentence when it cannot be opened or was written by another version.
 */
export function openDatabase(file: string, reset: boolean): Database {
  const connection = open(file);
  let version: unknown;
  try {
    // FULL: a purchase that was confirmed must survive a power failure.
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
  if (version !== undefined && version !== schemaVersion) {
    connection.close();
    throw new Error(
      `The file ${file} was written by another version of the sandbox; start it with --reset to delete its data.`,
    );
  }

  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');

  return {
    prepare: (sql) => connection.prepare(sql),
    transaction(work) {
      begin.run();
      try {
        const result = work();
        commit.run();
        return result;
      } catch (error) {
        if (connection.isTransaction) rollback.run();
        throw error;
      }
    },
    clear() {
      for (const table of tables) connection.exec(`DELETE FROM ${table}`);
    },
    isSeeded: () => version !== undefined,
    close: () => connection.close(),
  };
}

function open(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    return new DatabaseSync(file);
  } catch (cause) {
    throw new Error(`The sandbox cannot open its database file ${file}.`, { cause });
  }
}
