import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { vi } from 'vitest';
import type { Journal } from '../../src/persistence/journal.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { stepsOf } from './plan-steps.ts';

/** The texts of the statements that SQLite compiles during some work, each once. */
export async function sqliteStatementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  try {
    await work();
    return [...new Set(prepare.mock.calls.map(([sql]) => sql))];
  } finally {
    prepare.mockRestore();
  }
}

/** The texts of the statements that PostgreSQL receives during some work, each once. */
export async function postgresStatementsOf(
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    await work();
    return [...new Set(query.mock.calls.map(([text]) => String(text)))];
  } finally {
    query.mockRestore();
  }
}

/** The plans of the statements of some work with a new journal, one text for each statement. */
export async function sqlitePlansOf(
  file: string,
  work: (journal: Journal) => Promise<unknown>,
): Promise<readonly string[]> {
  const journal = await openSqliteJournal({ file });
  const statements = await sqliteStatementsOf(() => work(journal));
  await journal.close();
  const database = new DatabaseSync(file);
  const plans = statements.map((sql) => stepsOf(database, sql).join('; '));
  database.close();
  return plans;
}

/** They have a few rows for each account. */
const smallTables =
  /^(?:audit_logs|event_logs|outbox_readers|leases|stops|proofs|webhooks|kysely_migration|kysely_migration_lock)$/;

/** They have only rows with work that is left. */
const workIndexes = /INDEX (?:purchases_(?:open|unsettled)|approvals_requested) /;

/** Reads of many rows that are right, by their steps and their texts. */
const exceptions: readonly (readonly [step: RegExp, sql: RegExp])[] = [
  // SQLite reads the last entry of an index.
  [
    /INDEX (?:purchases_by_ordinal|sqlite_autoindex_events_1) \(account=\?\)$/,
    /max\("?(?:ordinal|position)"?\)/,
  ],
  // Before the process listens.
  [/job_items_open/, /^select "kind", "held_by"/],
  // The writes that no comparison has explained yet.
  [/INDEX domain_writes_by_time \(account=\?\)$/, /^select .* order by "at"$/],
];

/** The steps of a statement of SQLite that read all rows of a table or of an account. */
export function wideSteps(database: DatabaseSync, sql: string): readonly string[] {
  const steps = stepsOf(database, sql);
  const isOrdered = /\blimit \d+/.test(sql) && !steps.some((step) => step.startsWith('USE TEMP'));
  return steps.filter((step) => {
    const [, kind, alias = ''] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? [];
    const table = tableOf(sql, alias);
    if (kind === undefined || !isTable(database, table) || smallTables.test(table)) return false;
    if (exceptions.some(([one, text]) => one.test(step) && text.test(sql))) return false;
    if (kind === 'SCAN' || /AUTOMATIC|ANY\(/.test(step)) return true;
    return step.includes('(account=?)') && !isOrdered && !workIndexes.test(step);
  });
}

/** The table of an alias in a statement. */
const tableOf = (sql: string, alias: string): string =>
  new RegExp(`(\\w+)"? as "?${alias}\\b`).exec(sql)?.[1] ?? alias;

const isTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined;

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PostgresNode[];
}

/** The parts of the plan of a statement of PostgreSQL that read a whole table or index. */
export async function wideNodes(client: Client, sql: string): Promise<readonly string[]> {
  await client.query(`prepare explained as ${sql}`);
  const { rows } = await client.query(
    "select cardinality(parameter_types) as count from pg_prepared_statements where name = 'explained'",
  );
  const values = Array.from({ length: rows[0].count }, () => 'null').join();
  const explained = await client.query(
    `explain (format json) execute explained${values && `(${values})`}`,
  );
  await client.query('deallocate explained');
  const nodes = (node: PostgresNode): readonly PostgresNode[] => [
    node,
    ...(node.Plans ?? []).flatMap(nodes),
  ];
  return nodes(explained.rows[0]['QUERY PLAN'][0].Plan).flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = node;
    if (!/^(?:Seq|Index|Index Only|Bitmap Index) Scan$/.test(type)) return [];
    if (node['Index Cond'] !== undefined || smallTables.test(table)) return [];
    // The hash of a subquery, which it makes while the table is small.
    if (isHashed(node)) return [];
    const step = `${type} of INDEX ${index} of ${table}`;
    return workIndexes.test(step) || exceptions.some(([, text]) => text.test(sql)) ? [] : [step];
  });
}

const isHashed = (node: PostgresNode) =>
  node.Filter === undefined && node['Parent Relationship'] === 'SubPlan';
