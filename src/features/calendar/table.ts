import type { LabelCondition } from '../../kernel/label.ts';
import {
  instant,
  json,
  type RecordOf,
  type RowsOf,
  table,
  text,
  textOrEmpty,
} from '../../persistence/table.ts';

export const calendarFeedsTable = table(
  'calendar_feeds',
  {
    id: text,
    /** Whose domains it has; null for all domains of the account. */
    customer: textOrEmpty,
    name: text,
    /** Conditions for the labels of its domains; empty for none. */
    labels: json<readonly LabelCondition[]>(),
    createdAt: instant,
  },
  {
    // The hash has 64 hexadecimal digits.
    hidden: { account: text, secretSha256: text },
    key: 'account, id',
    unique: { by_secret: '(secret_sha256)' },
    indexes: { by_customer: '(account, customer, created_at, id)' },
  },
);

/** A file of expiry dates that a calendar program reads without a key. It is never changed. */
export type CalendarFeed = RecordOf<typeof calendarFeedsTable>;

export type CalendarTables = RowsOf<typeof calendarFeedsTable>;
