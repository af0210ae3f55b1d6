import type { Table } from '../../persistence/table.ts';

/** The last known states of all accounts. `outbox` is JSON: the events of the last change that are not in `events` yet. */
const subjectsTable: Table = {
  name: 'watched_subjects',
  steps: [
    [
      `create table if not exists watched_subjects (
        account text not null, subject text not null, seen text not null, outbox text,
        constraint watched_subjects_pkey primary key (account, subject))`,
      `create index if not exists watched_subjects_outbox on watched_subjects (account, subject)
        where outbox is not null`,
    ],
  ],
};

const eventsTable: Table = {
  name: 'events',
  steps: [
    [
      `create table if not exists events (
        account text not null, position integer not null, id text not null, type text not null,
        at text not null, subject text not null, domain text, purchase_id text,
        source text not null, caller text, customer text, before text, after text,
        constraint events_pkey primary key (account, position))`,
      'create unique index if not exists events_by_id on events (account, id)',
      `create index if not exists events_by_domain on events (account, domain, position)
        where domain is not null`,
      `create index if not exists events_by_customer on events (account, customer, position)
        where customer is not null`,
      'create index if not exists events_by_time on events (account, at, position)',
    ],
  ],
};

/** The facts about all events of an account. */
const logsTable: Table = {
  name: 'event_logs',
  steps: [
    [
      `create table if not exists event_logs (
        account text primary key not null, recorded_since text, deleted_until integer not null)`,
    ],
  ],
};

/** The writes of domains that were sent. */
const writesTable: Table = {
  name: 'domain_writes',
  steps: [
    [
      `create table if not exists domain_writes (
        id text primary key not null, account text not null, domain text not null,
        field text not null, value text, caller text, at text not null)`,
      'create index if not exists domain_writes_by_time on domain_writes (account, at)',
    ],
  ],
};

export const eventTables: readonly Table[] = [subjectsTable, eventsTable, logsTable, writesTable];
