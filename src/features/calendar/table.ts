import type { Table } from '../../persistence/table.ts';

/** The calendar feeds of all accounts. `customer` is empty for a feed of the reseller; `secret_sha256` has 64 hexadecimal digits. */
export const calendarFeedsTable: Table = {
  name: 'calendar_feeds',
  steps: [
    [
      `create table if not exists calendar_feeds (
        account text not null, id text not null, customer text not null, name text not null,
        labels text not null, secret_sha256 text not null, created_at text not null,
        constraint calendar_feeds_pkey primary key (account, id))`,
      'create unique index if not exists calendar_feeds_by_secret on calendar_feeds (secret_sha256)',
      `create index if not exists calendar_feeds_by_customer
        on calendar_feeds (account, customer, created_at, id)`,
    ],
  ],
};
