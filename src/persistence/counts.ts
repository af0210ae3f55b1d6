import { sql } from 'kysely';

/** The selection of a query for `countOf`. */
export const amount = sql<number | string>`count(*)`.as('amount');

interface AmountQuery {
  executeTakeFirstOrThrow(): Promise<{ readonly amount: number | string }>;
}

export const countOf = async (query: AmountQuery): Promise<number> =>
  Number((await query.executeTakeFirstOrThrow()).amount);
