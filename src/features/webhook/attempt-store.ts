import { sql } from 'kysely';
import { allOf } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import { literal, rowsOf, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { attemptsTable, type WebhookDatabase } from './table.ts';

/** One request to an endpoint. */
export type WebhookAttempt = RecordOf<typeof attemptsTable>;

/** The requests to endpoints of webhooks. */
export const createAttemptStore = (db: WebhookDatabase) => ({
  /** The attempts of removed webhooks are not stored. */
  addAttempt: (account: string, attempt: WebhookAttempt) =>
    writing(() => addAttempt(db, account, attempt)),
  /** The newest attempts of a webhook, newest first. */
  attempts: (account: string, webhookId: string, limit: number) =>
    reading(() => {
      const newest = attemptsOf(db, account, webhookId).orderBy('at', 'desc').orderBy('id', 'desc');
      return allOf(newest.limit(literal(limit)).selectAll(), attemptsTable.record);
    }),
  /** Deletes the attempts before a time, and all but the newest ones of a webhook. */
  deleteAttempts: (
    account: string,
    webhookId: string,
    { before, most }: { readonly before: Date; readonly most: number },
  ) =>
    writing(async () => {
      const oldest = attemptsOf(db, account, webhookId)
        .select('at')
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(literal(1))
        .offset(literal(most));
      const ofAccount = db.deleteFrom('webhook_attempts').where('account', '=', account);
      // Two statements: of a condition with `or`, SQLite reads all attempts.
      await ofAccount.where('at', '<', timeText(before)).execute();
      await ofAccount.where('webhook_id', '=', webhookId).where('at', '<=', oldest).execute();
    }),
});

async function addAttempt(
  db: WebhookDatabase,
  account: string,
  attempt: WebhookAttempt,
): Promise<void> {
  const values = attemptsTable.row({ ...attempt, account });
  const columns = columnsOf(values);
  await db
    .insertInto('webhook_attempts')
    .columns(columns)
    .expression(({ selectFrom }) =>
      selectFrom('webhooks')
        .where('account', '=', account)
        .where('id', '=', attempt.webhookId)
        .select(columns.map((column) => typed(values[column]).as(column))),
    )
    .execute();
}

/** The columns with a value; the others are null. */
export const columnsOf = <Row extends object>(row: Row) =>
  (Object.keys(row) as (keyof Row)[]).filter((column) => row[column] !== null);

/** PostgreSQL cannot derive the type of a parameter that is selected. */
export const typed = (value: string | number | null) =>
  typeof value === 'number'
    ? sql<string>`cast(${value} as integer)`
    : sql<string>`cast(${value} as text)`;

const attemptsOf = (db: WebhookDatabase, account: string, webhookId: string) =>
  rowsOf(db, 'webhook_attempts', account).where('webhook_id', '=', webhookId);
