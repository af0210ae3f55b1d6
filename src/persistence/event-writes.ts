import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { parseInstant } from '../kernel/instant.ts';
import type { NewEvent, Revision, StateChange } from './event-store.ts';
import { ownsLease } from './leases.ts';
import { type JournalTables, literal, timeText } from './tables.ts';

type Database = Kysely<JournalTables>;

/** Few enough that a statement does not block the event loop for long. */
const rowsPerStatement = 200;

export async function changeStates(
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

export async function revise(
  db: Database,
  account: string,
  subject: string,
  next: Revision,
): Promise<boolean> {
  for (let attempt = 1; attempt <= reviseAttempts; attempt += 1) {
    const stored = await db
      .selectFrom('watched_subjects')
      .select(['seen', 'outbox'])
      .where('account', '=', account)
      .where('subject', '=', subject)
      .executeTakeFirst();
    const change = stored ? next(stored.seen) : null;
    if (!stored || !change) return false;
    const { seen, outbox } = stored;
    const { numUpdatedRows } = await db
      .updateTable('watched_subjects')
      .set({
        seen: change.seen,
        outbox: outboxOf([...(outbox === null ? [] : eventsOfOutbox(outbox)), ...change.events]),
      })
      .where('account', '=', account)
      .where('subject', '=', subject)
      .where('seen', '=', seen)
      .where('outbox', 'is not distinct from', outbox)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return true;
  }
  return false;
}

export async function publishSome(db: Database, account: string): Promise<boolean> {
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
  await insertEvents(db, account, sql<boolean>`true`, events);
  // Only outboxes with the text that was read: another event may have been added to one.
  const published = rows.map(({ subject, outbox }) => sql`(${subject}, ${outbox})`);
  const { numAffectedRows } = await sql`
    update watched_subjects set outbox = null from (values ${sql.join(published)}) as published
    where account = ${account} and subject = column1 and outbox = column2`.execute(db);
  return numAffectedRows !== 0n;
}

const insertAttempts = 5;

/**
 * Stores events when a condition holds. The first statement that inserts an event decides its position. Of two statements that
 * run at once and compute the same position, PostgreSQL fails one as a whole, which is repeated. Positions have no gaps: in a
 * gap a statement that ends later would store an event before one that a client has read already.
 */
export async function insertEvents(
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
