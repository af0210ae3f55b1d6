import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Lists of many lengths make many texts; only the statements that were used last are cached. */
const maxStatements = 100;

interface Prepared {
  readonly statement: StatementSync;
  /** Cached: Node describes every column of a statement each time. */
  readonly returnsRows: boolean;
}

/** Returns the function that runs queries on a SQLite database, with its own cache of prepared statements. */
export function createExecute(database: DatabaseSync) {
  const statements = new LRUCache<string, Prepared>({
    max: maxStatements,
    memoMethod(sql) {
      const statement = database.prepare(sql);
      return { statement, returnsRows: statement.columns().length > 0 };
    },
  });

  return <Row>({
    sql,
    parameters,
  }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> => {
    const { statement, returnsRows } = statements.memo(sql);
    // The tables hold text and integers only, and so do the parameters.
    const values = parameters as readonly SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...values) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  };
}
