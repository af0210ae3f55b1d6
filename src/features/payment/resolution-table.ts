import {
  instant,
  nullable,
  type RecordOf,
  type RowsOf,
  table,
  text,
  textOf,
} from '../../persistence/table.ts';

/** What a person found at the registrar. */
export type ResolvedOutcome = 'BOUGHT' | 'NOT_BOUGHT';

/**
 * Decisions of people about purchases. A row is written before its purchase is moved. A purchase that has ended was resolved by the
 * row with its outcome, and the other row lost.
 */
export const resolutionsTable = table(
  'purchase_resolutions',
  {
    purchaseId: text,
    outcome: textOf<ResolvedOutcome>(),
    note: text,
    /** The name of the key; null with open access. */
    by: nullable(text),
    at: instant,
  },
  { hidden: { account: text }, key: 'account, purchase_id, outcome' },
);

export type Resolution = RecordOf<typeof resolutionsTable>;
export type ResolutionTables = RowsOf<typeof resolutionsTable>;
