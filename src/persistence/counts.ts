import { sql } from 'kysely';

/** The selection of the number of rows. */
export const amount = sql<number | string>`count(*)`.as('amount');

/** A query that selects nothing yet. */
interface CountedRows {
  select(selections: readonly (typeof amount)[]): { executeTakeFirstOrThrow(): Promise<object> };
}

export async function countOf(rows: CountedRows): Promise<number> {
  const counted = await rows.select([amount]).executeTakeFirstOrThrow();
  return Number((counted as { readonly amount: number | string }).amount);
}
