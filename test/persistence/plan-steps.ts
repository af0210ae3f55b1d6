import type { DatabaseSync } from 'node:sqlite';

/** The steps of the plan of a statement of SQLite. */
export const stepsOf = (database: DatabaseSync, sql: string): readonly string[] =>
  database
    .prepare(`explain query plan ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
