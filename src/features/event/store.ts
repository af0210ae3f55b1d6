import { expressionBuilder, sql } from 'kysely';
import { parseInstant } from '../../kernel/instant.ts';
import { parts } from '../../lib/slices.ts';
import { type LeaseRequest, ownsLease, takeLease } from '../../persistence/leases.ts';
import { purchaseOf, purchasesOf } from '../../persistence/purchase-record.ts';
import { allOf, hasChanged } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import {
  type Database,
  isOfAccount,
  type JournalTables,
  literal,
  rowsOf,
  timeText,
} from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import type { NewEvent } from '../../scope/hooks.ts';
import { createEventLog, insertEvents, readLog } from './log.ts';
import type { EventDatabase, EventTables, subjectsTable } from './table.ts';

/** The last known state of a subject, as text that the store does not read. */
type WatchedSubject = RecordOf<typeof subjectsTable>;

/** A new state with the events that it causes. Both are stored together. */
export interface StateChange extends WatchedSubject {
  /** The state with which it was compared; null when there was none. */
  readonly before: string | null;
  readonly events: readonly NewEvent[];
}

/** Returns the state that follows a stored one. */
export type Revision = (seen: string) => Pick<StateChange, 'seen' | 'events'> | null;

/**
 * The events of an account, and the states that are compared to find them. One process stores the results of comparisons, the
 * owner of the lease: a `change` of any other owner stores nothing. A change of a state and its events are one row, and
 * `publish` moves the events to their table. An event that is there already is not written again.
 */
export function createEventStore(database: Database) {
  const db = database.$extendTables<EventTables>();
  return {
    /** Acquires or renews the lease of the writer; false while another process has it. */
    lease: (account: string, lease: LeaseRequest) =>
      writing(() => takeLease(db, account, 'events', lease)),
    /** Whether the first states were stored completely. Before that, new domains are no events. */
    hasBaseline: (account: string) =>
      reading(async () => typeof (await readLog(db, account))?.recorded_since === 'string'),
    setBaseline: (account: string, owner: string, at: Date) =>
      writing(async () => {
        await sql`
        insert into event_logs (account, recorded_since, deleted_until)
        select ${account}, ${timeText(at)}, 0 where ${ownsLease(db, account, 'events', owner)}
        on conflict (account) do update set recorded_since =
          coalesce(event_logs.recorded_since, excluded.recorded_since)`.execute(db);
      }),
    /** Known states in pages: `after` is the last subject of the page before, null for the first page. */
    watched: (
      account: string,
      after: string | null,
      limit: number,
    ): Promise<readonly WatchedSubject[]> =>
      reading(async () => {
        const all = rowsOf(db, 'watched_subjects', account).select(['subject', 'seen']);
        return (after === null ? all : all.where('subject', '>', after))
          .orderBy('subject')
          .limit(literal(limit))
          .execute();
      }),
    /** The known states of these subjects, in order. */
    watchedOf: (account: string, subjects: readonly string[]): Promise<readonly WatchedSubject[]> =>
      reading(() =>
        rowsOf(db, 'watched_subjects', account)
          .select(['subject', 'seen'])
          .where('subject', 'in', subjects)
          .orderBy('subject')
          .execute(),
      ),
    /**
     * Stores new states. Their events are stored by `publish`. False when not all were stored: the owner has lost the lease, the
     * state of a subject is no longer the one that was compared, or its events are not published yet.
     */
    change: (account: string, owner: string, changes: readonly StateChange[]) =>
      writing(() => changeStates(db, account, owner, changes)),
    /**
     * Changes a stored state without the lease. `next` receives the state and returns the new one with its events, or null for no
     * change; it is called again when another statement has changed the row in between. The events are stored by `publish`, after
     * those that are not published yet. False when nothing was stored.
     */
    revise: (account: string, subject: string, next: Revision) =>
      writing(() => revise(db, account, subject, next)),
    /**
     * Stores events of some changed states, each once, without the lease, also after a process ended in between. False when none
     * are left, or when another process has published them.
     */
    publish: (account: string) => writing(() => publishSome(db, account)),
    /** Settled purchases without an event of their outcome, in the order of their settlement. */
    unreported: (account: string, limit: number) =>
      reading(() =>
        allOf(
          purchasesOf(db, account)
            .where('unreported', '=', literal(1))
            .orderBy('settled_at')
            .limit(literal(limit)),
          purchaseOf,
        ),
      ),
    /**
     * Stores events of settled purchases, each once, without the lease. A purchase is reported when the event with the id
     * `<id>:<state>` of the purchase is stored. False when none was reported: another process has reported them, or the state of
     * one is no longer the one of its event.
     */
    report: (account: string, events: readonly NewEvent[]) =>
      writing(() => report(db, account, events)),
    /** The first call for an account lets the purchases that have settled before it have no events. Later calls do nothing. */
    beginReports: (account: string) => writing(() => beginReports(db, account)),
    ...createEventLog(db),
  };
}

export type EventStore = ReturnType<typeof createEventStore>;

/** Few enough that a statement does not block the event loop for long. */
const rowsPerStatement = 200;

async function changeStates(
  db: EventDatabase,
  account: string,
  owner: string,
  changes: readonly StateChange[],
): Promise<boolean> {
  for (const some of parts(changes, rowsPerStatement)) {
    const rows = some.map(
      ({ subject, before, seen, events }) =>
        sql`(${subject}, ${before}, ${seen}, ${outboxOf(events)})`,
    );
    // One check of the lease for all rows. Another process may revise a row while this statement waits for it.
    const written = await sql`
      with changes (subject, before, seen, outbox) as (values ${sql.join(rows)})
      insert into watched_subjects (account, subject, seen, outbox)
      select ${account}, changes.subject, changes.seen, changes.outbox from changes
      left join watched_subjects as stored on stored.account = ${account} and stored.subject = changes.subject
      where stored.seen is not distinct from changes.before and ${ownsLease(db, account, 'events', owner)}
      on conflict (account, subject) do update set seen = excluded.seen, outbox = excluded.outbox
      where watched_subjects.outbox is null
      and watched_subjects.seen = (select before from changes where changes.subject = excluded.subject)
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

/** Each failed attempt means that another statement has changed the row. */
const reviseAttempts = 5;

async function revise(
  db: EventDatabase,
  account: string,
  subject: string,
  next: Revision,
): Promise<boolean> {
  for (let attempt = 1; attempt <= reviseAttempts; attempt += 1) {
    const stored = await rowsOf(db, 'watched_subjects', account)
      .select(['seen', 'outbox'])
      .where('subject', '=', subject)
      .executeTakeFirst();
    const change = stored ? next(stored.seen) : null;
    if (!stored || !change) return false;
    const { seen, outbox } = stored;
    const revised = db
      .updateTable('watched_subjects')
      .set({
        seen: change.seen,
        outbox: outboxOf([...(outbox === null ? [] : eventsOfOutbox(outbox)), ...change.events]),
      })
      .where('account', '=', account)
      .where('subject', '=', subject)
      .where('seen', '=', seen)
      .where('outbox', 'is not distinct from', outbox);
    if (await hasChanged(revised)) return true;
  }
  return false;
}

async function publishSome(db: EventDatabase, account: string): Promise<boolean> {
  const changed = await rowsOf(db, 'watched_subjects', account)
    .select(['subject', 'outbox'])
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
  await insertEvents(db, account, sql<boolean>`true`, events);
  // Only outboxes with the text that was read: another event may have been added to one.
  const published = rows.map(({ subject, outbox }) => sql`(${subject}, ${outbox})`);
  const { numAffectedRows } = await sql`
    update watched_subjects set outbox = null from (values ${sql.join(published)}) as published
    where account = ${account} and subject = column1 and outbox = column2`.execute(db);
  return numAffectedRows !== 0n;
}

async function beginReports(db: EventDatabase, account: string): Promise<void> {
  // First, so that a process that ends in between reports no old purchase.
  const some = rowsOf(db, 'purchases', account)
    .select('id')
    .where('unreported', '=', literal(1))
    .limit(literal(rowsPerStatement));
  const settled = db
    .updateTable('purchases')
    .set({ unreported: 0 })
    .where('id', 'in', some)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('event_logs').select('account').where('account', '=', account))),
    );
  while (await hasChanged(settled));
  await db
    .insertInto('event_logs')
    .values({ account, recorded_since: null, deleted_until: 0 })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute();
}

async function report(
  db: EventDatabase,
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
    .where(isOfAccount(account))
    .where('id', 'in', ids)
    .where(
      reportKey,
      'not in',
      events.map(({ id }) => id),
    );
  await insertEvents(db, account, not(exists(corrected)), events);
  const reported = db
    .updateTable('purchases')
    .set({ unreported: 0 })
    .where(isOfAccount(account))
    .where('id', 'in', ids)
    .where('unreported', '=', literal(1))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('events')
          .select('position')
          .where('events.account', '=', account)
          .where('events.id', '=', reportKey),
      ),
    );
  return hasChanged(reported);
}
