import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
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
import { migrate } from '../../src/persistence/migrations.ts';
import type { JournalTables } from '../../src/persistence/tables.ts';

/** Runs before and after a statement: it can delay it, fail it, or end the process. */
type Gate = (side: 'before' | 'after', sql: string) => Promise<void>;

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
  const statements = new Map<string, Prepared>();
  const prepare: Prepare = (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    statements.set(sql, prepared);
    return prepared;
  };
  const open = (gate: Gate) =>
    new Kysely<JournalTables>({ dialect: gatedDialect(prepare, database, gate) });
  await migrate(open(async () => undefined));
  statements.clear();

  const rows: SharedStore['rows'] = (sql, ...values) => prepare(sql).statement.all(...values);
  const tables = rows(
    "select name from sqlite_master where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'",
  );
  return {
    open,
    rows,
    clear() {
      for (const { name } of tables) database.exec(`delete from "${name}"`);
    },
  };
}

interface Prepared {
  readonly statement: StatementSync;
  /** Cached: Node describes every column of a statement each time. */
  readonly returnsRows: boolean;
}

type Prepare = (sql: string) => Prepared;

const gatedDialect = (prepare: Prepare, database: DatabaseSync, gate: Gate): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new GatedDriver(prepare, database, gate),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** Executes statements of several processes in any order, like a server with many connections. */
class GatedDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: DatabaseConnection;

  constructor(prepare: Prepare, database: DatabaseSync, gate: Gate) {
    this.#database = database;
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        await gate('before', sql);
        const result = execute<Row>(prepare(sql), parameters as readonly SQLInputValue[]);
        await gate('after', sql);
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

function execute<Row>(
  { statement, returnsRows }: Prepared,
  parameters: readonly SQLInputValue[],
): QueryResult<Row> {
  if (returnsRows) return { rows: statement.all(...parameters) as Row[] };
  const { changes } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}
