import type { UpdateResult } from 'kysely';

/** The first row of a statement as a record; null without a row. */
export async function firstOf<Row, Item>(
  statement: { executeTakeFirst(): Promise<Row | undefined> },
  itemOf: (row: Row) => Item,
): Promise<Item | null> {
  const row = await statement.executeTakeFirst();
  return row ? itemOf(row) : null;
}

/** The rows of a statement as records. */
export const allOf = async <Row, Item>(
  statement: { execute(): Promise<readonly Row[]> },
  itemOf: (row: Row) => Item,
): Promise<readonly Item[]> => (await statement.execute()).map(itemOf);

interface Update {
  executeTakeFirstOrThrow(): Promise<UpdateResult>;
}

/** How many rows a statement changed. */
export const changedBy = async (update: Update): Promise<number> =>
  Number((await update.executeTakeFirstOrThrow()).numUpdatedRows);

/** Whether a statement changed a row. */
export const hasChanged = async (update: Update): Promise<boolean> => (await changedBy(update)) > 0;
