import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The step `0003-approvals-of-lines`: an approval of one line of an order releases this line only. */
export async function addLinesOfApprovals(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const trigger = isPostgres ? triggerOfPostgres : triggerOfSqlite;
  for (const statement of [...statements, ...trigger]) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table approvals add column order_id text',
  'alter table approvals add column order_line integer',
  `create index approvals_of_lines on approvals (order_id)
    where order_id is not null`,
];

const release = `update job_items set state = 'WAITING'
  where job_id = coalesce(new.order_id, new.id)
    and position = coalesce(new.order_line, position) and state = 'HELD';`;

const triggerOfSqlite = [
  'drop trigger approvals_decided',
  `create trigger approvals_decided after update of state on approvals
    when new.job_kind is not null begin ${release} end`,
];

const triggerOfPostgres = [
  `create or replace function approvals_release() returns trigger language plpgsql as
    $$ begin ${release} return null; end $$`,
];
