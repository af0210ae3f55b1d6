import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { features } from '../../src/features/index.ts';
import { migrate } from '../../src/persistence/migrations.ts';
import { createExecute } from '../../src/persistence/statements.ts';
import type { JournalTables } from '../../src/persistence/tables.ts';

/** Runs before and after a statement: it can delay it, fail it, or end the process. */
type Gate = (side: 'before' | 'after', sql: string, changedRows: boolean) => Promise<void>;

/** The database that all processes share. Every written statement is on disk. */
export interface SharedStore {
  /** A connection pool of one process, with its gate. */
  open(gate: Gate): Kysely<JournalTables>;
  /** Rows for the harness, without a gate. */
  rows(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[];
  /** Forgets all rows. */
  clear(): void;
}

export async function createSharedStore(): Promise<SharedStore> {
  const database = new DatabaseSync(':memory:');
  const open = (gate: Gate, execute = createExecute(database)) =>
    new Kysely<JournalTables>({ dialect: gatedDialect(execute, database, gate) });
  await migrate(
    open(async () => undefined),
    features.flatMap(({ tables = [] }) => tables),
  );
  // Statements that were prepared before the migrations describe the tables of then.
  const execute = createExecute(database);

  const rows: SharedStore['rows'] = (sql, ...parameters) => [
    ...execute<Record<string, unknown>>({ sql, parameters }).rows,
  ];
  const tables = rows(
    "select name from sqlite_master where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'",
  );
  return {
    open: (gate) => open(gate, execute),
    rows,
    clear() {
      for (const { name } of tables) database.exec(`delete from "${name}"`);
    },
  };
}

type Execute = ReturnType<typeof createExecute>;

const gatedDialect = (execute: Execute, database: DatabaseSync, gate: Gate): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new GatedDriver(execute, database, gate),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** Executes statements of several processes in any order, like a server with many connections. */
class GatedDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: DatabaseConnection;

  constructor(execute: Execute, database: DatabaseSync, gate: Gate) {
    this.#database = database;
    // With the rows that triggers changed.
    const total = database.prepare('select total_changes() as rows');
    this.#connection = {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        await gate('before', query.sql, false);
        const isRead = query.sql.startsWith('select');
        const changes = () => (isRead ? null : total.get()?.rows);
        const before = changes();
        const result = execute<Row>(query);
        await gate('after', query.sql, changes() !== before);
        return result;
      },
      // biome-ignore lint/correctness/useYield: the journal streams no rows
      async *streamQuery() {
        throw new Error('Nothing streams here.');
      },
    };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    this.#database.exec('begin');
  }
  async commitTransaction(): Promise<void> {
    this.#database.exec('commit');
  }
  async rollbackTransaction(): Promise<void> {
    this.#database.exec('rollback');
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
