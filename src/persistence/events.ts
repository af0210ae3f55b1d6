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
import type { EventFilter, EventPage, EventRecord, EventStore, NewEvent } from './event-store.ts';
import { changeStates, insertEvents, publishSome, revise } from './event-writes.ts';
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
    revise: (account, subject, next) => writing(() => revise(db, account, subject, next)),
    publish: (account) => writing(() => publishSome(db, account)),
    append: (account, event) =>
      writing(() => insertEvents(db, account, sql<boolean>`true`, [event])),
    unreported: (account, limit) =>
      reading(async () => {
        const rows = await db
          .selectFrom('purchases')
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

async function beginReports(db: Database, account: string): Promise<void> {
  // First, so that a process that ends in between reports no old purchase.
  await db
    .updateTable('purchases')
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
  const reportKey = sql<string>`purchases.id || ':' || purchases.state`;
  // The event of a corrected outcome may be stored already, and an earlier outcome has no event after it.
  const corrected = db
    .selectFrom('purchases')
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
    .updateTable('purchases')
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
