import { sql } from 'kysely';
import { globalId } from '../../kernel/ids.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { parts } from '../../lib/slices.ts';
import { type LeaseRequest, ownsLease, takeLease } from '../../persistence/leases.ts';
import { hasChanged } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import { type Database, literal, rowsOf, timeText } from '../../persistence/tables.ts';
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
 * owner of the lease: a `change` of any other owner stores nothing. The statement that changes a state stores its events in the
 * outbox, and `publish` moves them to their table. An event that is there already is not written again.
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
     * Stores new states, and their events in the outbox. False when not all were stored: the owner has lost the lease, or the
     * state of a subject is no longer the one that was compared.
     */
    change: (account: string, owner: string, changes: readonly StateChange[]) =>
      writing(() => changeStates(db, account, owner, changes)),
    /**
     * Changes a stored state without the lease. `next` receives the state and returns the new one with its events, or null for no
     * change; it is called again when another statement has changed the row in between. False when nothing was stored.
     */
    revise: (account: string, subject: string, next: Revision) =>
      writing(() => revise(db, account, subject, next)),
    /**
     * Adds some events of the outbox to the list, each once, in the order of the outbox, without the lease, also after a process
     * ended in between. False when none are left.
     */
    publish: (account: string, now: Date) => writing(() => publishSome(db, account, now)),
    /** From now on a purchase that settles has an event. */
    beginReading: (account: string) =>
      writing(async () => {
        await db
          .insertInto('outbox_readers')
          .values({ account })
          .onConflict((conflict) => conflict.column('account').doNothing())
          .execute();
      }),
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
      order by changes.subject
      on conflict (account, subject) do update set seen = excluded.seen, outbox = excluded.outbox
      where watched_subjects.seen = (select before from changes where changes.subject = excluded.subject)
      returning subject`.execute(db);
    if (written.rows.length < rows.length) return false;
  }
  return true;
}

const outboxOf = (events: readonly NewEvent[]): string | null =>
  events.length === 0 ? null : JSON.stringify(events);

/** The events in a row of the outbox. */
const eventsOf = (json: string, now: Date): readonly NewEvent[] =>
  [JSON.parse(json)].flat().map(({ subjectType, at, ...event }) => ({
    ...{ domain: null, purchaseId: null, caller: null, before: null, after: null },
    ...{ source: 'GATEWAY', ...event, at: at === undefined ? now : parseInstant(at) },
    ...(subjectType && { subject: globalId(subjectType, event.subject) }),
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
      .select('seen')
      .where('subject', '=', subject)
      .executeTakeFirst();
    const change = stored ? next(stored.seen) : null;
    if (!stored || !change) return false;
    const revised = db
      .updateTable('watched_subjects')
      .set({ seen: change.seen, outbox: outboxOf(change.events) })
      .where('account', '=', account)
      .where('subject', '=', subject)
      .where('seen', '=', stored.seen);
    if (await hasChanged(revised)) return true;
  }
  return false;
}

async function publishSome(db: EventDatabase, account: string, now: Date): Promise<boolean> {
  const rows = await rowsOf(db, 'outbox', account)
    .select(['number', 'events'])
    .orderBy('number')
    .limit(literal(rowsPerStatement))
    .execute();
  if (rows.length === 0) return false;
  // A row may have many events, such as the prices of a TLD.
  const found = rows.flatMap(({ events }) => eventsOf(events, now));
  for (const some of parts(found, rowsPerStatement)) await insertEvents(db, account, some);
  const [numbers, texts] = [rows.map(({ number }) => number), rows.map(({ events }) => events)];
  const published = db.deleteFrom('outbox').where('number', 'in', numbers);
  // SQLite uses the number of a deleted row again.
  await published.where('events', 'in', texts).execute();
  return true;
}
