/** A database after the first released migration. */
export const databaseOf0001 = `
  create table operations (
    id text primary key not null, account text not null, kind text not null, domain text not null, key text not null,
    fingerprint text not null, period integer not null, price_amount text, price_currency text, state text not null,
    claimed_at text not null, submitted_at text, settled_at text, absent_at text, fault_code text, fault_message text,
    fault_executed text, fault_upstream_code text, fault_upstream_message text);
  create unique index operations_by_key on operations (account, key);
  create unique index operations_unsettled on operations (account, domain, kind)
    where state in ('CLAIMED', 'SENDING', 'PENDING');
  create index operations_by_time on operations (account, claimed_at, id);
  create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
  insert into kysely_migration values ('0001-operations', '2026-01-01T00:00:00.000Z');
  insert into kysely_migration_lock values ('migration_lock', 0);
`;
