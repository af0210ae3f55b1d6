import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SqlBool,
  sql,
} from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant } from '../kernel/instant.ts';
import type {
  EventFilter,
  EventPage,
  EventRecord,
  EventStore,
  NewEvent,
  StateChange,
} from './event-store.ts';
import { ownsLease, takeLease } from './leases.ts';
import { type EventRow, type JournalTables, literal, purchaseOf, timeText } from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';

type Database = Kysely<JournalTables>;

/**
 * The events in the database of the journal. No transaction is ever open between two statements: a change of a state and its
 * events are one row, and `publish` moves the events to their table. An event that is there already is not written again.
 */
export function createEventStore(db: Database): EventStore {
  const reading = <T>(work: () => Promise<T>) => guarded(work, readFault);
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    lease: (account, lease) => writing(() => takeLease(db, account, 'events', lease)),
    hasBaseline: (account) => reading(async () => (await readLog(db, account))?.has_baseline === 1),
    setBaseline: (account, owner) =>
      writing(async () => {
        await sql`
          insert into event_logs (account, has_baseline, deleted_until)
          select ${account}, 1, 0 where ${ownsLease(db, account, 'events', owner)}
          on conflict (account) do update set has_baseline = 1`.execute(db);
      }),
    watched: (account, after, limit) =>
      reading(async () => {
        const all = db
          .selectFrom('watched_subjects')
          .select(['subject', 'seen'])
          .where('account', '=', account);
        return (after === null ? all : all.where('subject', '>', after))
          .orderBy('subject')
          .limit(literal(limit))
          .execute();
      }),
    change: (account, owner, changes) => writing(() => changeStates(db, account, owner, changes)),
    publish: (account, owner) => writing(() => publishSome(db, account, owner)),
    append: (account, event) =>
      writing(() => insertEvents(db, account, sql<boolean>`true`, [event])),
    unreported: (account, limit) =>
      reading(async () => {
        const rows = await db
          .selectFrom('operations')
          .selectAll()
          .where('account', '=', account)
          .where('unreported', '=', literal(1))
          .orderBy('settled_at')
          .limit(literal(limit))
          .execute();
        return rows.map(purchaseOf);
      }),
    report: (account, events) => writing(() => report(db, account, events)),
    beginReports: (account) => writing(() => beginReports(db, account)),
    list: (account, page) => reading(() => listEvents(db, account, page)),
    byId: (account, id) =>
      reading(async () => {
        const row = await eventsOf(db, account, {})
          .where('id', '=', id)
          .selectAll()
          .executeTakeFirst();
        return row ? eventOf(row) : null;
      }),
    count: (account, filter = {}) =>
      reading(async () => {
        const { amount } = await eventsOf(db, account, filter)
          .select(({ fn }) => fn.countAll().as('amount'))
          .executeTakeFirstOrThrow();
        return Number(amount);
      }),
    lastPosition: (account) =>
      reading(async () => {
        const { last } = await eventsOf(db, account, {})
          .select(({ fn }) => fn.max('position').as('last'))
          .executeTakeFirstOrThrow();
        return Math.max(Number(last ?? 0), (await readLog(db, account))?.deleted_until ?? 0);
      }),
    deletedUntil: (account) =>
      reading(async () => (await readLog(db, account))?.deleted_until ?? 0),
    deleteBefore: (account, time) => writing(() => deleteBefore(db, account, time)),
  };
}

const readLog = (db: Database, account: string) =>
  db.selectFrom('event_logs').selectAll().where('account', '=', account).executeTakeFirst();

/** Few enough that a statement does not block the event loop for long. */
const rowsPerStatement = 200;

async function changeStates(
  db: Database,
  account: string,
  owner: string,
  changes: readonly StateChange[],
): Promise<boolean> {
  for (let from = 0; from < changes.length; from += rowsPerStatement) {
    const rows = changes
      .slice(from, from + rowsPerStatement)
      .map(
        ({ subject, before, seen, events }) =>
          sql`(${subject}, ${before}, ${seen}, ${outboxOf(events)})`,
      );
    // One check of the lease for all rows.
    const written = await sql`
      insert into watched_subjects (account, subject, seen, outbox)
      select ${account}, column1, column3, column4 from (values ${sql.join(rows)}) as changes
      left join watched_subjects as stored on stored.account = ${account} and stored.subject = column1
      where stored.seen is not distinct from column2 and ${ownsLease(db, account, 'events', owner)}
      on conflict (account, subject) do update set seen = excluded.seen, outbox = excluded.outbox
      where watched_subjects.outbox is null
      returning subject`.execute(db);
    if (written.rows.length < rows.length) return false;
  }
  return true;
}

const outboxOf = (events: readonly NewEvent[]): string | null =>
  events.length === 0 ? null : JSON.stringify(events);

/** Reads what `outboxOf` wrote. */
const eventsOfOutbox = (text: string): readonly NewEvent[] =>
  JSON.parse(text).map((event: NewEvent & { readonly at: string }) => ({
    ...event,
    at: parseInstant(event.at),
  }));

async function publishSome(db: Database, account: string, owner: string): Promise<boolean> {
  const changed = await db
    .selectFrom('watched_subjects')
    .select(['subject', 'outbox'])
    .where('account', '=', account)
    .where('outbox', 'is not', null)
    .$narrowType<{ readonly outbox: string }>()
    .orderBy('subject')
    .limit(literal(rowsPerStatement))
    .execute();
  const rows: typeof changed = [];
  const events: NewEvent[] = [];
  for (const row of changed) {
    const more = eventsOfOutbox(row.outbox);
    // A subject may have many events, such as the prices of a TLD.
    if (events.length > 0 && events.length + more.length > rowsPerStatement) break;
    rows.push(row);
    events.push(...more);
  }
  if (events.length === 0) return false;
  await insertEvents(db, account, ownsLease(db, account, 'events', owner), events);
  const { numUpdatedRows } = await db
    .updateTable('watched_subjects')
    .set({ outbox: null })
    .where('account', '=', account)
    .where(
      'subject',
      'in',
      rows.map(({ subject }) => subject),
    )
    .where(ownsLease(db, account, 'events', owner))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

const insertAttempts = 5;

/**
 * Stores events when a condition holds. The first statement that inserts an event decides its position. Of two statements that
 * run at once and compute the same position, PostgreSQL fails one as a whole, which is repeated. Positions have no gaps: in a
 * gap a statement that ends later would store an event before one that a client has read already.
 */
async function insertEvents(
  db: Database,
  account: string,
  condition: Expression<SqlBool>,
  events: readonly NewEvent[],
): Promise<void> {
  const last = sql`(select coalesce(max(position), 0) from events where account = ${account})`;
  const deleted = sql`(select coalesce(max(deleted_until), 0) from event_logs where account = ${account})`;
  const rows = events.map(
    ({ id, type, at, subject, domain, purchaseId, source, caller, before, after }, index) =>
      sql`(${sql.lit(index + 1)}, ${id}, ${type}, ${timeText(at)}, ${subject}, ${domain}, ${purchaseId},
        ${source}, ${caller}, ${before}, ${after})`,
  );
  const insert = sql`
    insert into events
      (account, position, id, type, at, subject, domain, purchase_id, source, caller, before, after)
    select ${account}, case when ${last} > ${deleted} then ${last} else ${deleted} end + row_number() over (order by column1),
      column2, column3, column4, column5, column6, column7, column8, column9, column10, column11 from (values ${sql.join(rows)}) as found
    where ${condition} and not exists
      (select 1 from events where account = ${account} and id = column2)
    on conflict (account, id) do nothing`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await insert.execute(db);
      return;
    } catch (error) {
      if (!isTaken(error) || attempt === insertAttempts) throw error;
    }
  }
}

const uniqueViolation = '23505';

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === uniqueViolation;

async function beginReports(db: Database, account: string): Promise<void> {
  // First, so that a process that ends in between reports no old purchase.
  await db
    .updateTable('operations')
    .set({ unreported: 0 })
    .where('account', '=', account)
    .where('unreported', '=', literal(1))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('event_logs').select('account').where('account', '=', account))),
    )
    .execute();
  await db
    .insertInto('event_logs')
    .values({ account, has_baseline: 0, deleted_until: 0 })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute();
}

async function report(
  db: Database,
  account: string,
  events: readonly NewEvent[],
): Promise<boolean> {
  const ids = events.flatMap(({ purchaseId }) => (purchaseId === null ? [] : [purchaseId]));
  const { exists, not } = expressionBuilder<JournalTables, never>();
  const reportKey = sql<string>`operations.id || ':' || operations.state`;
  // The event of a corrected outcome may be stored already, and an earlier outcome has no event after it.
  const corrected = db
    .selectFrom('operations')
    .select('id')
    .where('account', '=', account)
    .where('id', 'in', ids)
    .where(
      reportKey,
      'not in',
      events.map(({ id }) => id),
    );
  await insertEvents(db, account, not(exists(corrected)), events);
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ unreported: 0 })
    .where('account', '=', account)
    .where('id', 'in', ids)
    .where('unreported', '=', literal(1))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events')
          .select('position')
          .where('events.account', '=', account)
          .where('events.id', '=', reportKey),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function listEvents(
  db: Database,
  account: string,
  { filter = {}, limit, after, before, fromEnd = false }: EventPage,
): Promise<readonly EventRecord[]> {
  let query = eventsOf(db, account, filter).selectAll();
  if (after !== undefined) query = query.where('position', '>', after);
  if (before !== undefined) query = query.where('position', '<', before);
  const rows = await query
    .orderBy('position', fromEnd ? 'desc' : 'asc')
    .limit(literal(limit))
    .execute();
  const events = rows.map(eventOf);
  return fromEnd ? events.toReversed() : events;
}

async function deleteBefore(db: Database, account: string, time: Date): Promise<void> {
  const { last } = await eventsOf(db, account, {})
    .where('at', '<', timeText(time))
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow();
  const position = Number(last ?? 0);
  // First, so that no cursor of a deleted event appears valid, and no position is used again.
  await db
    .updateTable('event_logs')
    .set({ deleted_until: position })
    .where('account', '=', account)
    .where('deleted_until', '<', position)
    .execute();
  await db
    .deleteFrom('events')
    .where('account', '=', account)
    .where('position', '<=', ({ selectFrom }) =>
      selectFrom('event_logs').select('deleted_until').where('account', '=', account),
    )
    .execute();
}

const eventsOf = (db: Database, account: string, filter: EventFilter) =>
  db.selectFrom('events').where('account', '=', account).where(matches(filter));

const matches =
  ({ types, domain, since }: EventFilter) =>
  (eb: ExpressionBuilder<JournalTables, 'events'>): Expression<SqlBool> =>
    eb.and([
      ...(types ? [eb.or(types.map((type) => eb('type', '=', type)))] : []),
      ...(domain ? [eb('domain', '=', domain)] : []),
      ...(since ? [eb('at', '>=', timeText(since))] : []),
    ]);

const eventOf = (row: EventRow): EventRecord => ({
  position: row.position,
  id: row.id,
  type: row.type,
  at: parseInstant(row.at),
  subject: row.subject,
  domain: row.domain as DomainName | null,
  purchaseId: row.purchase_id,
  source: row.source,
  caller: row.caller,
  before: row.before,
  after: row.after,
});
