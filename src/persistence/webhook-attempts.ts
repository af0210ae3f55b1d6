import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { parseInstant } from '../kernel/instant.ts';
import { type JournalTables, literal, timeOf, timeText, type WebhookAttemptRow } from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';
import type {
  AttemptPage,
  AttemptPosition,
  WebhookAttempt,
  WebhookStore,
} from './webhook-store.ts';

type Database = Kysely<JournalTables>;

type AttemptStore = Pick<
  WebhookStore,
  'addAttempt' | 'attempts' | 'countAttempts' | 'deleteAttempts'
>;

/** The requests to endpoints in the database of the journal. */
export function createAttemptStore(db: Database): AttemptStore {
  const reading = <T>(work: () => Promise<T>) => guarded(work, readFault);
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    addAttempt: (account, attempt) => writing(() => addAttempt(db, account, attempt)),
    attempts: (account, webhookId, page) =>
      reading(() => listAttempts(db, account, webhookId, page)),
    countAttempts: (account, webhookId) =>
      reading(async () => {
        const { amount } = await attemptsOf(db, account, webhookId)
          .select(({ fn }) => fn.countAll().as('amount'))
          .executeTakeFirstOrThrow();
        return Number(amount);
      }),
    deleteAttempts: (account, webhookId, { before, most }) =>
      writing(async () => {
        const oldest = attemptsOf(db, account, webhookId)
          .select('at')
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(literal(1))
          .offset(literal(most));
        await db
          .deleteFrom('webhook_attempts')
          .where('account', '=', account)
          .where(({ or, and, eb }) =>
            or([
              eb('at', '<', timeText(before)),
              and([eb('webhook_id', '=', webhookId), eb('at', '<=', oldest)]),
            ]),
          )
          .execute();
      }),
  };
}

async function addAttempt(db: Database, account: string, attempt: WebhookAttempt): Promise<void> {
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

const attemptsOf = (db: Pick<Database, 'selectFrom'>, account: string, webhookId: string) =>
  db
    .selectFrom('webhook_attempts')
    .where('account', '=', account)
    .where('webhook_id', '=', webhookId);

async function listAttempts(
  db: Database,
  account: string,
  webhookId: string,
  { limit, after, before, fromEnd = false }: AttemptPage,
): Promise<readonly WebhookAttempt[]> {
  const order = fromEnd ? 'asc' : 'desc';
  const rows = await attemptsOf(db, account, webhookId)
    .selectAll()
    .$if(after !== undefined, (query) => query.where(isBeside(after, '<')))
    .$if(before !== undefined, (query) => query.where(isBeside(before, '>')))
    .orderBy('at', order)
    .orderBy('id', order)
    .limit(literal(limit))
    .execute();
  const attempts = rows.map(attemptOf);
  return fromEnd ? attempts.toReversed() : attempts;
}

/** Whether an attempt is older (`<`) or newer (`>`) than another one. */
const isBeside =
  (place: AttemptPosition | undefined, operator: '<' | '>') =>
  ({ or, and, eb }: ExpressionBuilder<JournalTables, 'webhook_attempts'>): Expression<SqlBool> => {
    const at = place ? timeText(place.at) : '';
    return or([
      eb('at', operator, at),
      and([eb('at', '=', at), eb('id', operator, place?.id ?? '')]),
    ]);
  };

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
