import { expressionBuilder, sql } from 'kysely';
import type { DomainName } from '../../kernel/domain-name.ts';
import { parseInstant } from '../../kernel/instant.ts';
import type { LabelCondition } from '../../kernel/label.ts';
import type { FilteredPage } from '../../lib/pages.ts';
import {
  type FilterOf,
  is,
  listOf,
  meets,
  oneOf,
  unindexed,
  within,
} from '../../persistence/lists.ts';
import { firstOf } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import {
  isUniqueViolation,
  type JournalTables,
  literal,
  rowsOf,
  timeText,
} from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import type { EventSource, EventType, NewEvent } from '../../scope/hooks.ts';
import { type EventDatabase, type EventTables, eventsTable } from './table.ts';

export type { EventSource, EventType, NewEvent };

/** A stored event. */
export type EventRecord = RecordOf<typeof eventsTable>;

const { record: eventOf } = eventsTable;

const event = expressionBuilder<JournalTables & EventTables, 'events'>();

const conditions = {
  types: oneOf<EventType>('type'),
  domain: is<DomainName>('domain'),
  customer: is('customer'),
  /** Labels that the domain has now. */
  labels: (labels: readonly LabelCondition[]) => event.and(labels.map(isLabelled)),
  at: within(unindexed('at')),
};

export type EventFilter = FilterOf<typeof conditions>;

/** Oldest first. A place is a position. */
export type EventPage = FilteredPage<number, EventFilter>;

/** The stored events of an account, in the order of their positions. */
export const createEventLog = (db: EventDatabase) => ({
  /** Stores an event of any process, without the lease. An event with the same id is not stored again. */
  append: (account: string, event: NewEvent) => writing(() => insertEvents(db, account, [event])),
  ...listOf(db, {
    order: { columns: ['position'], valuesOf: (position: number) => [position] },
    rows: (account, condition) => eventsOf(db, account).where(condition),
    selected: (some) => some.selectAll(),
    meets: (filter: EventFilter) => meets(conditions, filter),
    // A domain has few events.
    indexed: ({ domain }) => (domain === undefined ? ['customer'] : 'all'),
    itemOf: eventOf,
  }),
  byId: (account: string, id: string) =>
    reading(() => firstOf(eventsOf(db, account).where('id', '=', id).selectAll(), eventOf)),
  /** The position of the newest event, also of one that was deleted; 0 before the first. */
  lastPosition: (account: string) =>
    reading(async () => {
      const { last } = await eventsOf(db, account)
        .select(({ fn }) => fn.max('position').as('last'))
        .executeTakeFirstOrThrow();
      return Math.max(Number(last ?? 0), (await readLog(db, account))?.deleted_until ?? 0);
    }),
  /** The position of the newest event that was deleted; 0 before the first. */
  deletedUntil: (account: string) =>
    reading(async () => (await readLog(db, account))?.deleted_until ?? 0),
  /** Since when the changes of the account are events; null before the baseline. */
  recordedSince: (account: string) =>
    reading(async () => {
      const since = (await readLog(db, account))?.recorded_since ?? null;
      return since === null ? null : parseInstant(since);
    }),
  /** Deletes some of the events up to the last one that was found before this time. True when others are left. */
  deleteBefore: (account: string, time: Date) => writing(() => deleteBefore(db, account, time)),
});

export const readLog = (db: EventDatabase, account: string) =>
  rowsOf(db, 'event_logs', account).selectAll().executeTakeFirst();

/** One contender wins each round. */
const insertAttempts = 200;

/**
 * Stores events. The first statement that inserts an event decides its position. Of two statements that run at once and compute the
 * same position, PostgreSQL fails one as a whole, which is repeated. Positions have no gaps: in a gap a statement that ends later
 * would store an event before one that a client has read already.
 */
export async function insertEvents(
  db: EventDatabase,
  account: string,
  events: readonly NewEvent[],
): Promise<void> {
  const last = sql`(select coalesce(max(position), 0) from events where account = ${account})`;
  const deleted = sql`(select coalesce(max(deleted_until), 0) from event_logs where account = ${account})`;
  const ofDomain = (domain: DomainName | null) =>
    sql`(select customer from domain_customers where account = ${account} and domain = ${domain})`;
  const rows = events.map(
    (
      { id, type, at, subject, domain, purchaseId, source, caller, before, after, customer },
      index,
    ) =>
      sql`(${sql.lit(index + 1)}, ${id}, ${type}, ${timeText(at)}, ${subject}, ${domain}, ${purchaseId},
        ${source}, ${caller}, ${before}, ${after},
        ${customer === undefined ? ofDomain(domain) : customer})`,
  );
  const insert = sql`
    insert into events
      (account, position, id, type, at, subject, domain, purchase_id, source, caller, before, after, customer)
    select ${account}, case when ${last} > ${deleted} then ${last} else ${deleted} end + row_number() over (order by column1),
      column2, column3, column4, column5, column6, column7, column8, column9, column10, column11, column12
    from (values ${sql.join(rows)}) as found
    where not exists (select 1 from events where account = ${account} and id = column2)
    on conflict (account, id) do nothing`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await insert.execute(db);
      return;
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === insertAttempts) throw error;
    }
  }
}

/** A statement of SQLite stops all requests. */
const rowsPerDeletion = 500;

async function deleteBefore(db: EventDatabase, account: string, time: Date): Promise<boolean> {
  const newest = await eventsOf(db, account)
    .where('at', '<', timeText(time))
    .select('position')
    .orderBy('at', 'desc')
    .orderBy('position', 'desc')
    .limit(literal(1))
    .executeTakeFirst();
  const last = newest?.position ?? 0;
  const deletedUntil = (await readLog(db, account))?.deleted_until ?? 0;
  const position = Math.min(last, deletedUntil + rowsPerDeletion);
  // First, so that no cursor of a deleted event appears valid, and no position is used again.
  await db
    .insertInto('event_logs')
    .values({ account, recorded_since: null, deleted_until: position })
    .onConflict((conflict) =>
      conflict
        .column('account')
        .doUpdateSet({
          deleted_until: position,
          // Null before the baseline, and it remains null.
          recorded_since: sql`case when event_logs.recorded_since < ${timeText(time)} then ${timeText(time)} else event_logs.recorded_since end`,
        })
        .where('event_logs.deleted_until', '<', position),
    )
    .execute();
  await db
    .deleteFrom('events')
    .where('account', '=', account)
    .where('position', '<=', ({ selectFrom }) =>
      selectFrom('event_logs').select('deleted_until').where('account', '=', account),
    )
    .execute();
  return position < last;
}

const eventsOf = (db: EventDatabase, account: string) => rowsOf(db, 'events', account);

const isLabelled = ({ name, value }: LabelCondition) =>
  event.exists(
    event
      .selectFrom('domain_labels')
      .select('domain_labels.name')
      .whereRef('domain_labels.account', '=', 'events.account')
      .whereRef('domain_labels.domain', '=', 'events.domain')
      .where('domain_labels.name', '=', name)
      .$if(value !== null, (query) => query.where('domain_labels.value', '=', value ?? '')),
  );
