import { sql } from 'kysely';

/** A part of a list. A place is what the list is ordered by. */
export interface Page<Place> {
  readonly limit: number;
  /** Only items that follow this place in the list. */
  readonly after?: Place;
  /** Only items that precede this place. */
  readonly before?: Place;
  /** Take the `limit` from the end of the range instead of its start. The order of the items is the same. */
  readonly fromEnd?: boolean;
}

/** The selection of a query for `countOf`. */
export const amount = sql<number | string>`count(*)`.as('amount');

interface AmountQuery {
  executeTakeFirstOrThrow(): Promise<{ readonly amount: number | string }>;
}

export const countOf = async (query: AmountQuery): Promise<number> =>
  Number((await query.executeTakeFirstOrThrow()).amount);
