import type { Kysely } from 'kysely';
import type { WrittenField } from '../../modules/domain/write-log.ts';
import {
  domainName,
  instant,
  integer,
  nullable,
  type RowsOf,
  table,
  text,
  textOf,
} from '../../persistence/table.ts';
import type { JournalTables } from '../../persistence/tables.ts';
import type { EventSource, EventType } from '../../scope/hooks.ts';

/** The last known states of domains, and of other subjects of events. */
export const subjectsTable = table(
  'watched_subjects',
  {
    /** A domain name, or a key that contains a colon, such as `balance:USD`. */
    subject: text,
    seen: text,
  },
  {
    // `outbox`: the events of the last change that are not in `events` yet, as JSON; null for none.
    hidden: { account: text, outbox: nullable(text) },
    key: 'account, subject',
    indexes: { outbox: '(account, subject) where outbox is not null' },
  },
);

export const eventsTable = table(
  'events',
  {
    /** Its place in the order of the events of an account, from 1. */
    position: integer,
    id: text,
    type: textOf<EventType>(),
    at: instant,
    subject: text,
    domain: nullable(domainName),
    purchaseId: nullable(text),
    source: textOf<EventSource>(),
    caller: nullable(text),
    customer: nullable(text),
    before: nullable(text),
    after: nullable(text),
  },
  {
    hidden: { account: text },
    key: 'account, position',
    unique: { by_id: '(account, id)' },
    indexes: {
      by_domain: '(account, domain, position) where domain is not null',
      by_customer: '(account, customer, position) where customer is not null',
      by_time: '(account, at, position)',
    },
  },
);

/** The facts about all events of an account. */
const logsTable = table(
  'event_logs',
  {
    /** When the first states were stored completely, or the time of the last deletion of events; null before. */
    recordedSince: nullable(instant),
    deletedUntil: integer,
  },
  { hidden: { account: text }, key: 'account' },
);

/** The changes of domains that this gateway has sent, or is about to send. */
export const writesTable = table(
  'domain_writes',
  {
    id: text,
    domain: domainName,
    field: textOf<WrittenField>(),
    /** The value as text; null for a sync. */
    value: nullable(text),
    /** The name of the key whose request caused it; null with open access. */
    caller: nullable(text),
    at: instant,
  },
  { hidden: { account: text }, key: 'id', indexes: { by_time: '(account, at)' } },
);

export const eventTables = [subjectsTable, eventsTable, logsTable, writesTable];

export type EventTables = RowsOf<(typeof eventTables)[number]>;
export type EventDatabase = Kysely<JournalTables & EventTables>;
