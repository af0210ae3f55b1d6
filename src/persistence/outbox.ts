import { integer, table, text } from './table.ts';

/** The events that are not in the list of events yet. The statement that changes a row stores the events of the change, by a trigger. */
export const outboxTable = table(
  'outbox',
  {},
  {
    hidden: {
      account: text,
      /** Increases with each change of a row: the statement of the trigger has locked it. */
      number: integer,
      /** JSON: an event, or a list of events. */
      events: text,
    },
    key: 'number',
    indexes: { by_account: '(account, number)' },
    // SQLite computes a key that is an integer.
    triggers: [{ postgres: 'alter table outbox alter number add generated always as identity' }],
  },
);

/** The accounts whose outbox is read. */
export const outboxReadersTable = table(
  'outbox_readers',
  {},
  { hidden: { account: text }, key: 'account' },
);

type Member =
  | ('id' | 'type' | 'at' | 'subject' | 'domain' | 'purchaseId' | 'source')
  | ('caller' | 'customer' | 'before' | 'after')
  /** With it, `subject` is the key of an object of this type. */
  | 'subjectType';

/** The event of a row in SQL, by the members of `NewEvent`. Without a time it has that of its addition to the list. */
export type EventValues = { readonly [Name in Member]?: string };

/** The rows whose events are added, in SQL. Default: the one of the trigger. */
export interface EventRows {
  readonly from?: string;
  readonly where?: string | undefined;
}

/** The statement of a trigger that adds the event of `row` to the outbox, if that is read. */
export function addEvent(
  row: string,
  values: EventValues,
  { from = '', where = 'true' }: EventRows = {},
) {
  const members = Object.entries(values).map(([member, value]) => `'${member}', ${value}`);
  return `insert into outbox (account, events)
    select ${row}.account, json_object(${members.join(', ')}) ${from} where ${where}
      and exists (select 1 from outbox_readers where account = ${row}.account);`;
}
