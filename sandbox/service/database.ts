import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { ensurePrivateFile, fileProblem, makePrivateFolder } from '../../src/lib/files.ts';

/** Incremented whenever a table or a record changes. A file of another version is refused. */
const schemaVersion = '2';

/** Tables of records that are numbered in the order in which they were added. */
const numbered = ['resellers', 'contacts', 'domains', 'purchases', 'logs'] as const;
/** Tables of records whose ids are text. */
const named = ['balances', 'tokens', 'carts', 'hosting_groups'] as const;

type TableName = (typeof numbered)[number] | (typeof named)[number];

const metaSql =
  'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID';

/** Empty tables. A record is JSON text; its money is decimal text, its instants are epoch milliseconds. */
const tablesSql = `
DELETE FROM meta;
${[...named, ...numbered].map((name) => `DROP TABLE IF EXISTS ${name};`).join('\n')}
${numbered.map((name) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL) STRICT;`).join('\n')}
${named.map((name) => `CREATE TABLE ${name} (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;`).join('\n')}
CREATE UNIQUE INDEX domains_by_name ON domains (record ->> 'name', record ->> 'reseller');
CREATE INDEX domains_by_reseller ON domains (record ->> 'reseller', id);
CREATE INDEX domains_by_next_at ON domains (record ->> 'nextAt') WHERE record ->> 'nextAt' IS NOT NULL;
INSERT INTO meta (key, value) VALUES ('schema_version', '${schemaVersion}');
`;

type SandboxValue = string | number | null;
type SandboxRow = Record<string, SQLOutputValue>;

export type SandboxDatabase = ReturnType<typeof openDatabase>;

/**
 * Opens the SQLite file, and creates it and its folder when they do not exist. With `reset` its data is ignored; the caller
 * replaces it by `recreate`.
 *
 * @throws Error with one sentence when it cannot be opened or was written by another version.
 */
export function openDatabase(file: string, reset: boolean) {
  const connection = open(file);
  const version = reset ? undefined : connection.prepare(versionSql).get()?.value;
  if (version !== undefined && version !== schemaVersion) {
    connection.close();
    throw new Error(
      `The file ${file} was written by another version of the sandbox; start it with --reset to delete its data.`,
    );
  }
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const get = (sql: string, ...values: SandboxValue[]): SandboxRow | undefined =>
    prepared(sql).get(...values);
  const run = (sql: string, ...values: SandboxValue[]) => prepared(sql).run(...values);

  return {
    get,
    run,
    table: <Item extends Identified>(name: TableName) => tableOf<Item>(name, prepared),
    /** Runs `work` in one transaction. An error rolls it back and is thrown again. */
    transaction<T>(work: () => T): T {
      run('BEGIN IMMEDIATE');
      try {
        const result = work();
        run('COMMIT');
        return result;
      } catch (error) {
        if (connection.isTransaction) run('ROLLBACK');
        throw error;
      }
    },
    /** Replaces all tables by empty ones. Call it inside a transaction. */
    recreate: () => connection.exec(tablesSql),
    /** Whether the file had data when it was opened. */
    isSeeded: version !== undefined,
    close: () => connection.close(),
  };
}

interface Identified {
  readonly id: string | number;
}

/** The records of a table. A `match` has the members by which they are found. */
function tableOf<Item extends Identified>(
  name: TableName,
  prepared: (sql: string) => StatementSync,
) {
  const read = ({ id, record }: SandboxRow): Item => ({ id, ...JSON.parse(String(record)) });
  const query = (rest: string, ...values: SandboxValue[]) =>
    prepared(`SELECT id, record FROM ${name} ${rest}`)
      .all(...values)
      .map(read);
  return {
    /** `rest` is what follows the name of the table in a SELECT. */
    query,
    /** In the order in which they were added. */
    list: (match: Match<Item> = {}) =>
      query(`${where(match)} ORDER BY rowid`, ...Object.values(match)),
    find: (match: Match<Item>): Item | undefined =>
      query(`${where(match)} ORDER BY rowid LIMIT 1`, ...Object.values(match))[0],
    count(match: Match<Item>): number {
      const sql = `SELECT count(*) AS count FROM ${name} ${where(match)}`;
      return Number(prepared(sql).get(...Object.values(match))?.count);
    },
    /** Adds a record and returns its number. */
    add(record: Omit<Item, 'id'>): number {
      const insert = prepared(`INSERT INTO ${name} (record) VALUES (?)`);
      return Number(insert.run(JSON.stringify(record)).lastInsertRowid);
    },
    /** Adds a record, or replaces the one with its id. */
    save({ id, ...record }: Item): void {
      prepared(
        `INSERT INTO ${name} (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
      ).run(id, JSON.stringify(record));
    },
    remove: (match: Match<Item>) =>
      void prepared(`DELETE FROM ${name} ${where(match)}`).run(...Object.values(match)),
  };
}

type Match<Item> = { readonly [Member in keyof Item & string]?: SandboxValue };

const where = (match: object): string => {
  const conditions = Object.keys(match).map(
    (member) => `${member === 'id' ? 'id' : `record ->> '${member}'`} = ?`,
  );
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
};

const versionSql = "SELECT value FROM meta WHERE key = 'schema_version'";

function open(file: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    if (file !== ':memory:') {
      makePrivateFolder(dirname(file));
      ensurePrivateFile(file);
    }
    connection = new DatabaseSync(file);
    // FULL: a confirmed purchase must survive a power failure.
    connection.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; ${metaSql}`,
    );
    return connection;
  } catch (cause) {
    connection?.close();
    throw new Error(`The sandbox cannot use the file ${file}: ${fileProblem(cause)}.`, { cause });
  }
}
