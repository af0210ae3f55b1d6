import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  PostgresAdapter,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { coreTables } from './core-tables.ts';
import { instant, type RowsOf } from './table.ts';

export type JournalTables = RowsOf<(typeof coreTables)[number]>;

export type Database = Kysely<JournalTables>;

/** The rows of an account in a table. */
export const rowsOf = <Tables, Name extends keyof Tables & string>(
  db: Kysely<Tables>,
  name: Name,
  account: string,
) =>
  (db as unknown as Database)
    .selectFrom(name as 'purchases')
    .where('account', '=', account) as unknown as SelectQueryBuilder<Tables, Name, object>;

/** A condition of a statement on this table. */
export type Condition<Table extends keyof JournalTables = never> = (
  eb: ExpressionBuilder<JournalTables, Table>,
) => Expression<SqlBool>;

export const { write: timeText } = instant;

export const timeOf = (text: string | null): Date | null =>
  text === null ? null : instant.read(text);

/**
 * A value in the text of a query. SQLite compiles a statement again for each execution if a parameter can change its plan,
 * as a limit can, or a value of the column in the condition of a partial index.
 */
export const literal = <Value extends string | number>(value: Value) => sql.lit(value);

/**
 * The condition for the account of rows that are selected by their ids. SQLite expects an account to have few rows, and would read
 * all of them instead, so that no index serves this condition.
 */
export const isOfAccount = (account: string) => sql<SqlBool>`coalesce(account, '') = ${account}`;

const uniqueViolation = '23505';

/** Whether PostgreSQL failed a statement because another one inserted a row with the same key. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === uniqueViolation;

export const isPostgres = <Tables>(db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** SQLite has one writer at a time, and no row locks. */
export const hasSeveralWriters: (db: Database) => boolean = isPostgres;
