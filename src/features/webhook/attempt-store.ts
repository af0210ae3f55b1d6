import { sql } from 'kysely';
import { parseInstant } from '../../kernel/instant.ts';
import { allOf } from '../../persistence/results.ts';
import { literal, timeOf, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import type { WebhookAttemptRow, WebhookDatabase } from './rows.ts';

/** One request to an endpoint. */
export interface WebhookAttempt {
  readonly id: string;
  readonly webhookId: string;
  readonly kind: 'DELIVERY' | 'REDELIVERY' | 'TEST';
  readonly eventId: string;
  readonly eventType: string;
  readonly at: Date;
  readonly durationMs: number;
  /** From 1, counted for each event. */
  readonly number: number;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** A sentence; null when the endpoint accepted the event. */
  readonly failure: string | null;
  /** When the event is sent again; null when it is not. */
  readonly nextAt: Date | null;
}

/** The requests to endpoints of webhooks. */
export const createAttemptStore = (db: WebhookDatabase) => ({
  /** The attempts of removed webhooks are not stored. */
  addAttempt: (account: string, attempt: WebhookAttempt) =>
    writing(() => addAttempt(db, account, attempt)),
  /** The newest attempts of a webhook, newest first. */
  attempts: (account: string, webhookId: string, limit: number) =>
    reading(() => {
      const newest = attemptsOf(db, account, webhookId).orderBy('at', 'desc').orderBy('id', 'desc');
      return allOf(newest.limit(literal(limit)).selectAll(), attemptOf);
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
  const values = attemptRow(account, attempt);
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

const attemptRow = (account: string, attempt: WebhookAttempt): WebhookAttemptRow => ({
  account,
  webhook_id: attempt.webhookId,
  id: attempt.id,
  kind: attempt.kind,
  event_id: attempt.eventId,
  event_type: attempt.eventType,
  at: timeText(attempt.at),
  duration_ms: attempt.durationMs,
  number: attempt.number,
  status: attempt.status,
  failure: attempt.failure,
  next_at: attempt.nextAt && timeText(attempt.nextAt),
});

/** The columns with a value; the others are null. */
export const columnsOf = <Row extends object>(row: Row) =>
  (Object.keys(row) as (keyof Row)[]).filter((column) => row[column] !== null);

/** PostgreSQL cannot derive the type of a parameter that is selected. */
export const typed = (value: string | number | null) =>
  typeof value === 'number'
    ? sql<string>`cast(${value} as integer)`
    : sql<string>`cast(${value} as text)`;

const attemptsOf = (db: Pick<WebhookDatabase, 'selectFrom'>, account: string, webhookId: string) =>
  db
    .selectFrom('webhook_attempts')
    .where('account', '=', account)
    .where('webhook_id', '=', webhookId);

const attemptOf = (row: WebhookAttemptRow): WebhookAttempt => ({
  id: row.id,
  webhookId: row.webhook_id,
  kind: row.kind,
  eventId: row.event_id,
  eventType: row.event_type,
  at: parseInstant(row.at),
  durationMs: row.duration_ms,
  number: row.number,
  status: row.status,
  failure: row.failure,
  nextAt: timeOf(row.next_at),
});
