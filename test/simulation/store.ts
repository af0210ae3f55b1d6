import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
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

interface GatedStatement {
  readonly sql: string;
  readonly changedRows: boolean;
  /** The function that writes; null for a read, and in a store without names. */
  readonly site: string | null;
}

/** Runs before and after a statement: it can delay it, fail it, or end the process. */
type Gate = (side: 'before' | 'after', statement: GatedStatement) => Promise<void>;

/** The database that all processes share. Every written statement is on disk. */
export interface SharedStore {
  /** A connection pool of one process, with its gate. */
  open(gate: Gate): Kysely<JournalTables>;
  /** Rows for the harness, without a gate. */
  rows(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[];
  /** Forgets all rows. */
  clear(): void;
}

/** With `hasNames` each write has the name of its function, which takes long to find. */
export async function createSharedStore(hasNames = false): Promise<SharedStore> {
  const database = new DatabaseSync(':memory:');
  // Reads the sources of the product.
  const points = hasNames ? await import('./points.ts') : null;
  const open = (gate: Gate, execute = createExecute(database)) =>
    new Kysely<JournalTables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new GatedDriver(execute, database, gate),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () =>
          points ? new NamingCompiler(points.siteOfStack) : new SqliteQueryCompiler(),
      },
    });
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

/** The function of each text of a write; finding it takes long. */
const sites = new Map<string, string>();

/** Finds the function of a write while it is on the stack. */
class NamingCompiler extends SqliteQueryCompiler {
  readonly #siteOfStack: () => string;

  constructor(siteOfStack: () => string) {
    super();
    this.#siteOfStack = siteOfStack;
  }

  override compileQuery(...[node, id]: Parameters<SqliteQueryCompiler['compileQuery']>) {
    const compiled = super.compileQuery(node, id);
    if (!isRead(compiled) && !sites.has(compiled.sql)) sites.set(compiled.sql, this.#siteOfStack());
    return compiled;
  }
}

const isRead = ({ sql }: CompiledQuery): boolean => sql.startsWith('select');

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
        const { sql } = query;
        const site = sites.get(sql) ?? null;
        await gate('before', { sql, site, changedRows: false });
        const changes = () => (isRead(query) ? null : total.get()?.rows);
        const before = changes();
        const result = execute<Row>(query);
        await gate('after', { sql, site, changedRows: changes() !== before });
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
