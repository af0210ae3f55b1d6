import type { Kysely } from 'kysely';
import { isEnd, purchaseStates } from '../../kernel/purchase-states.ts';
import type { WrittenField } from '../../modules/domain/write.ts';
import { addEvent } from '../../persistence/outbox.ts';
import {
  domainName,
  instant,
  integer,
  nullable,
  type RowsOf,
  table,
  text,
  textOf,
  trigger,
} from '../../persistence/table.ts';
import type { JournalTables } from '../../persistence/tables.ts';
import type { EventSource, EventType } from '../../scope/hooks.ts';

const moveOutbox = `insert into outbox (account, events) values (new.account, new.outbox);
  update watched_subjects set outbox = null where account = new.account and subject = new.subject;`;
const outboxChanged = (name: string, on: string) =>
  trigger(name, `after ${on} on watched_subjects`, moveOutbox, 'new.outbox is not null');

/** The last known states of domains, and of other subjects of events. */
export const subjectsTable = table(
  'watched_subjects',
  {
    /** A domain name, or a key that contains a colon, such as `balance:USD`. */
    subject: text,
    seen: text,
  },
  {
    // `outbox`: the events of a change as JSON, which a trigger moves to the table of this name.
    hidden: { account: text, outbox: nullable(text) },
    key: 'account, subject',
    triggers: [
      ...outboxChanged('watched_subjects_inserted', 'insert'),
      ...outboxChanged('watched_subjects_updated', 'update of outbox'),
    ],
  },
);

/** The event of an outcome of the purchase in the row `new`, in SQL. A purchase can have an outcome again after a correction. */
const ofPurchase = (type: string, outcome: string, where?: string) =>
  addEvent(
    'new',
    {
      id: `new.id || ':' || ${outcome} || case when old.settled_at is null then '' else ':' || new.settled_at end`,
      ...{ type, subject: 'new.domain', domain: 'new.domain' },
      ...{ purchaseId: 'new.id', caller: 'new.caller', customer: 'new.customer', after: outcome },
    },
    { where },
  );

/** The end of a transfer, as `modules/purchase/transfer-progress.ts` has it. */
const transferStage = `(case when new.state = 'SUCCEEDED' then 'COMPLETED'
  when new.fault_code = 'TRANSFER_REJECTED' then 'REJECTED'
  when new.fault_code = 'TRANSFER_CANCELLED' then 'CANCELLED' end)`;

/** A purchase that settles is an event of each outcome. */
const purchaseSettled = trigger(
  'purchases_settled',
  'after update of state on purchases',
  ofPurchase("'PURCHASE_SETTLED'", 'new.state') +
    ofPurchase(
      "case new.state when 'SUCCEEDED' then 'TRANSFER_COMPLETED' else 'TRANSFER_REJECTED' end",
      transferStage,
      `new.kind = 'TRANSFER' and new.state <> 'UNKNOWN' and ${transferStage} is not null`,
    ),
  `new.state <> old.state and new.state in (${purchaseStates
    .filter(isEnd)
    .map((state) => `'${state}'`)
    .join(', ')})`,
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
    triggers: purchaseSettled,
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
