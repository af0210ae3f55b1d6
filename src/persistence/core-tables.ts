import type { ColumnType } from 'kysely';
import type { Executed, FaultCode } from '../kernel/faults.ts';
import type { ExchangeRate } from '../kernel/money.ts';
import type { PurchaseState } from '../kernel/purchase-states.ts';
import { outboxReadersTable, outboxTable } from './outbox.ts';
import {
  type Column,
  domainName,
  flag,
  instant,
  integer,
  json,
  mappingOf,
  nullable,
  table,
  text,
  textOf,
  trigger,
  withDefault,
} from './table.ts';

export type PurchaseKind = 'REGISTRATION' | 'TRANSFER';

const claim = {
  id: text,
  /** The tenant that pays. */
  account: text,
  /** The name of the caller's key; null with open access. */
  caller: nullable(text),
  /** The customer that it is for; null for the reseller. */
  customer: nullable(text),
  kind: textOf<PurchaseKind>(),
  domain: domainName,
  /** The idempotency key of the caller, or a generated one. */
  key: text,
  /** Hash of the input, independent of the order of fields and of aliases. */
  fingerprint: text,
  period: integer,
  claimedAt: instant,
  /** The job and the position of its item that this purchase is made for; both null for a single purchase. */
  orderId: nullable(text),
  orderLine: nullable(integer),
};
/** The columns of a purchase that a claim writes. */
export const purchaseClaims = mappingOf(claim, {});

/** The purchases. Text and integers only, so that SQLite and PostgreSQL store and order the same bytes. */
export const purchasesTable = table(
  'purchases',
  {
    ...claim,
    state: textOf<PurchaseState>(),
    submittedAt: nullable(instant),
    /** When the call has ended at the latest, by the clock of `submittedAt`; null when nothing was sent. */
    callUntil: nullable(instant),
    /** End of the sender's quiet window, by the clock of `submittedAt`; null when nothing was sent. */
    quietUntil: nullable(instant),
    /** When the gateway learned that the upstream accepted it; null before. */
    acceptedAt: nullable(instant),
    /** When a transfer in progress was last read, and when the next read is due. */
    readAt: nullable(instant),
    nextReadAt: nullable(instant),
    /** Whether the price of a failed transfer was refunded; null when that is not known. */
    refunded: nullable(flag),
    settledAt: nullable(instant),
  },
  {
    hidden: {
      /** Counts the purchases of an account from 1. Concurrent claims compute the same number, and one of them gets it. */
      ordinal: integer,
      /** Exact decimal text; null together with its currency. */
      costAmount: nullable(text),
      costCurrency: nullable(text),
      /** What the customer pays, and how it was computed; all null when that is the cost. */
      retailAmount: nullable(text),
      retailCurrency: nullable(text),
      retailRule: nullable(integer),
      /** Also null without a rate. */
      retailRate: nullable(json<ExchangeRate>()),
      /** Exact decimal text, in the currency of the cost. */
      balanceAfter: nullable(text),
      /** The cost in ten-thousandths of its currency, rounded up; text from PostgreSQL. Read it as a sum only. */
      spend: { type: 'bigint' } as Column<number | null, ColumnType<unknown, number | null>>,
      faultCode: nullable(textOf<FaultCode>()),
      faultMessage: nullable(text),
      faultExecuted: nullable(textOf<Executed>()),
      faultUpstreamCode: nullable(text),
      faultUpstreamMessage: nullable(text),
    },
    key: 'id',
    unique: {
      by_key: '(account, key)',
      by_ordinal: '(account, ordinal)',
      // At most one open purchase of a domain: the promise that money rests on, so the database enforces it.
      open: `(account, domain, kind)
        where state in ('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS')`,
    },
    indexes: {
      by_time: '(account, claimed_at, id)',
      // Few of all purchases: those on which a process works, and those that a person decides about.
      unsettled: `(account, claimed_at, id)
        where state in ('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS', 'UNKNOWN')`,
      by_domain: '(account, domain, claimed_at, id)',
      by_customer: '(account, customer, claimed_at, id) where customer is not null',
      by_order: '(order_id, order_line) where order_id is not null',
      reads: "(account, next_read_at) where state = 'IN_PROGRESS'",
      // The purchases of a month, and those that came to nothing in it, also of one caller or customer.
      accepted: '(account, accepted_at, id, caller, customer) where accepted_at is not null',
      reversed: `(account, settled_at, id, caller, customer)
        where accepted_at is not null and state = 'FAILED'`,
    },
  },
);

/** Adds a row of `purchases` to its sums, or subtracts it. */
const count = (row: 'new' | 'old', sign: '+' | '-') => `
  insert into purchase_sums (account, scope, caller, minute, currency, spend, purchases)
    select ${row}.account, scope, caller, substr(${row}.claimed_at, 1, 16), coalesce(${row}.cost_currency, ''),
      ${sign} coalesce(${row}.spend, 0), ${sign} 1
    from (select 'GATEWAY' as scope, '' as caller union all select 'KEY', ${row}.caller) as sums
    where caller is not null and ${row}.state not in ('FAILED', 'HELD')
    on conflict (account, scope, caller, minute, currency) do update
      set spend = purchase_sums.spend + excluded.spend, purchases = purchase_sums.purchases + excluded.purchases;`;

/** What limits count, by the minute of the claims. Triggers of `purchases` write it. */
const purchaseSumsTable = table(
  'purchase_sums',
  {},
  {
    hidden: {
      account: text,
      scope: text,
      caller: text,
      minute: text,
      currency: text,
      spend: { type: 'numeric not null' },
      purchases: integer,
    },
    key: 'account, scope, caller, minute, currency',
    triggers: [
      ...trigger('purchases_inserted', 'after insert on purchases', count('new', '+')),
      // No purchase is deleted, and most updates change no sum.
      ...trigger(
        'purchases_updated',
        'after update on purchases',
        `${count('old', '-')} ${count('new', '+')}`,
        "(old.state in ('FAILED', 'HELD')) <> (new.state in ('FAILED', 'HELD')) or old.claimed_at <> new.claimed_at",
      ),
    ],
  },
);

/** The stop switch of an account: a row exists while purchases are stopped. */
export const stopsTable = table(
  'stops',
  {
    since: instant,
    /** The operator's reason. */
    reason: text,
  },
  { hidden: { account: text }, key: 'account' },
);

/** The row of each proof. */
export const proofIds = { writable: 1, backup: 2 } as const;

/** The time of the last check that the journal is writable, and of its last backup. */
const proofsTable = table(
  'proofs',
  {
    id: integer,
    at: instant,
    /** Of the check as large as a claim with its indexes, so that a disk that is too full for a claim fails it. */
    filler: text,
  },
  { hidden: {}, key: 'id' },
);

/** The processes that do a kind of background work for an account. */
const leasesTable = table(
  'leases',
  { account: text, name: text, owner: text, until: instant },
  { hidden: {}, key: 'account, name' },
);

/** The jobs: what all items of one share. A row is never changed. */
export const jobsTable = table(
  'jobs',
  {
    id: text,
    account: text,
    /** The name of the caller's key; null with open access. */
    caller: nullable(text),
    /** The customer to whom its caller was bound; null for none. */
    customer: nullable(text),
    /** Names the code that works on its items. */
    kind: text,
    /** Unique for the account and the kind. */
    key: text,
    /** JSON: what all items share. */
    options: text,
    createdAt: instant,
  },
  {
    hidden: {},
    key: 'id',
    unique: { by_key: '(account, kind, key)' },
    indexes: {
      by_time: '(account, kind, created_at, id)',
      by_customer: '(account, customer, kind, created_at, id) where customer is not null',
    },
  },
);

/** HELD: until the feature that holds it releases it. WAITING: nothing was sent for it. BEGUN: a process works on it, or did until it ended. DONE: has an outcome. */
export type JobItemState = 'HELD' | 'WAITING' | 'BEGUN' | 'DONE';

/** How an item ended. The modules that run jobs define their own. */
export type JobOutcome = string;

/** The items of jobs. They are written before the row of their job. */
export const jobItemsTable = table(
  'job_items',
  {
    jobId: text,
    /** From 0, without gaps. */
    position: integer,
    /** The domain, or the text that was sent instead of a domain name. */
    domain: text,
    /** Hash of the input of the item. */
    fingerprint: text,
    /** JSON that is needed to run the item, with secrets such as auth codes. Deleted when the item is DONE. */
    input: nullable(text),
    /** JSON that readers see. */
    facts: text,
    state: textOf<JobItemState>(),
    /** How often the item was taken. A write with an older number changes nothing. */
    fence: withDefault(integer, '0'),
    doneAt: nullable(instant),
  },
  {
    hidden: {
      account: text,
      /** That of its job. */
      kind: text,
      /** The feature that holds it, or has released it; null for any other. */
      heldBy: nullable(text),
      /** Both null unless DONE; the details are JSON. */
      outcome: nullable(textOf<JobOutcome>()),
      details: nullable(text),
      /** The process that works on it; null when none does, and always null unless BEGUN. */
      owner: nullable(text),
      /** When the item may be taken: of an item with an owner, the end of the lease. No meaning when DONE. */
      dueAt: instant,
      /** The creation time of the job. */
      createdAt: instant,
    },
    key: 'job_id, position',
    indexes: {
      // With all columns that decide which items are taken, because many can wait for a later time.
      open: `(account, position, created_at, job_id, kind, due_at, state, held_by)
        where state <> 'DONE'`,
      owned: '(account, owner) where owner is not null',
    },
  },
);

/** The customers of domains. A domain without a row is the reseller's own. */
const domainCustomersTable = table(
  'domain_customers',
  {
    domain: domainName,
    /** Null for a domain that was made the reseller's own. */
    customer: nullable(text),
  },
  {
    // `since`: when it was set; of a purchase when that was claimed.
    hidden: { account: text, since: instant },
    key: 'account, domain',
    indexes: { by_customer: '(account, customer, domain)' },
  },
);

/** The labels of domains. The names of the labels of a domain are different. */
export const domainLabelsTable = table(
  'domain_labels',
  { domain: domainName, name: text, value: text },
  {
    // `since`: when it was set.
    hidden: { account: text, since: instant },
    key: 'account, domain, name',
    indexes: { by_label: '(account, name, domain, value)' },
  },
);

/** The tables that every gateway has. */
export const coreTables = [
  purchasesTable,
  purchaseSumsTable,
  stopsTable,
  proofsTable,
  leasesTable,
  jobsTable,
  jobItemsTable,
  domainCustomersTable,
  domainLabelsTable,
  outboxTable,
  outboxReadersTable,
];
