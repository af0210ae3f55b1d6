import { type Kysely, PostgresAdapter, sql } from 'kysely';

export const isPostgres = (db: Kysely<unknown>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** The step `0001-base` of `migrations.ts`. */
export async function createTables(db: Kysely<unknown>): Promise<void> {
  const triggers = isPostgres(db) ? postgresTriggers : sqliteTriggers;
  for (const statement of [...statements, ...triggers]) await sql.raw(statement).execute(db);
}

/** In the SQL that SQLite and PostgreSQL have in common. */
const statements = [
  `create table purchases (
    id text primary key not null, account text not null, ordinal integer not null,
    kind text not null, domain text not null, key text not null, fingerprint text not null,
    caller text, customer text, order_id text, order_line integer, period integer not null,
    cost_amount text, cost_currency text,
    retail_amount text, retail_currency text, retail_rule integer, retail_rate text,
    spend bigint, state text not null, claimed_at text not null,
    submitted_at text, call_until text, quiet_until text, settled_at text, unreported integer,
    balance_after text, accepted_at text, read_at text, next_read_at text, refunded integer,
    fault_code text, fault_message text, fault_executed text,
    fault_upstream_code text, fault_upstream_message text)`,
  'create unique index purchases_by_key on purchases (account, key)',
  'create unique index purchases_by_ordinal on purchases (account, ordinal)',
  // At most one open purchase of a domain: the promise that money rests on, so the database enforces it.
  `create unique index purchases_open on purchases (account, domain, kind)
    where state in ('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS')`,
  'create index purchases_by_time on purchases (account, claimed_at, id)',
  // Few of all purchases: those on which a process works, and those that a person decides about. Of two indexes that appear equal
  // without statistics, SQLite uses the later one.
  `create index purchases_unsettled on purchases (account, claimed_at, id)
    where state in ('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS', 'UNKNOWN')`,
  'create index purchases_by_domain on purchases (account, domain, claimed_at, id)',
  `create index purchases_by_customer on purchases (account, customer, claimed_at, id)
    where customer is not null`,
  `create index purchases_by_order on purchases (order_id, order_line)
    where order_id is not null`,
  `create index purchases_reads on purchases (account, next_read_at)
    where state = 'IN_PROGRESS'`,
  // The purchases and refunds of a month, also of one caller or customer.
  `create index purchases_accepted on purchases (account, accepted_at, id, caller, customer)
    where accepted_at is not null`,
  `create index purchases_refunded on purchases (account, settled_at, id, caller, customer)
    where refunded = 1`,
  `create index purchases_unreported on purchases (account, settled_at)
    where unreported = 1`,
  // What limits count, by the minute of the claims. Triggers write it.
  `create table purchase_sums (
    account text not null, scope text not null, caller text not null, minute text not null, currency text not null,
    spend numeric not null, purchases integer not null,
    constraint purchase_sums_pkey primary key (account, scope, caller, minute, currency))`,

  'create table stops (account text primary key not null, since text not null, reason text not null)',
  'create table proofs (id integer primary key not null, at text not null, filler text not null)',
  `create table leases (
    account text not null, name text not null, owner text not null, until text not null,
    constraint leases_pkey primary key (account, name))`,

  `create table jobs (
    id text primary key not null, account text not null, caller text, customer text,
    kind text not null, key text not null, options text not null, created_at text not null)`,
  'create unique index jobs_by_key on jobs (account, kind, key)',
  'create index jobs_by_time on jobs (account, kind, created_at, id)',
  `create index jobs_by_customer on jobs (account, customer, kind, created_at, id)
    where customer is not null`,
  `create table job_items (
    job_id text not null, position integer not null, account text not null, kind text not null,
    domain text not null, fingerprint text not null, state text not null, held_by text,
    input text, facts text not null, outcome text, details text, owner text,
    fence integer default 0 not null, due_at text not null, created_at text not null, done_at text,
    constraint job_items_pkey primary key (job_id, position))`,
  // With all columns that decide which items are taken, because many can wait for a later time.
  `create index job_items_open on job_items
    (account, position, created_at, job_id, kind, due_at, state, held_by) where state <> 'DONE'`,
  'create index job_items_owned on job_items (account, owner) where owner is not null',

  `create table domain_customers (
    account text not null, domain text not null, customer text, since text not null,
    constraint domain_customers_pkey primary key (account, domain))`,
  'create index domain_customers_by_customer on domain_customers (account, customer, domain)',
  `create table domain_labels (
    account text not null, domain text not null, name text not null, value text not null,
    since text not null,
    constraint domain_labels_pkey primary key (account, domain, name))`,
  'create index domain_labels_by_label on domain_labels (account, name, domain, value)',
];

/** Adds a row of `purchases` to its sums, or subtracts it. */
const count = (row: 'new' | 'old', sign: '+' | '-') => `
  insert into purchase_sums (account, scope, caller, minute, currency, spend, purchases)
    select ${row}.account, scope, caller, substr(${row}.claimed_at, 1, 16), coalesce(${row}.cost_currency, ''),
      ${sign} coalesce(${row}.spend, 0), ${sign} 1
    from (select 'GATEWAY' as scope, '' as caller union all select 'KEY', ${row}.caller) as sums
    where caller is not null and ${row}.state not in ('FAILED', 'HELD')
    on conflict (account, scope, caller, minute, currency) do update
      set spend = purchase_sums.spend + excluded.spend, purchases = purchase_sums.purchases + excluded.purchases;`;

/** No purchase is deleted, and most updates change no sum. */
const recount = `after update on purchases for each row
  when ((old.state in ('FAILED', 'HELD')) <> (new.state in ('FAILED', 'HELD')) or old.claimed_at <> new.claimed_at)`;

const sqliteTriggers = [
  `create trigger purchases_inserted after insert on purchases begin ${count('new', '+')} end`,
  `create trigger purchases_updated ${recount} begin ${count('old', '-')} ${count('new', '+')} end`,
];

// For a new row, the old one has no values in PostgreSQL.
const postgresTriggers = [
  `create function purchases_count() returns trigger language plpgsql as
    $$ begin ${count('old', '-')} ${count('new', '+')} return null; end $$`,
  `create trigger purchases_inserted after insert on purchases for each row execute function purchases_count()`,
  `create trigger purchases_updated ${recount} execute function purchases_count()`,
];
