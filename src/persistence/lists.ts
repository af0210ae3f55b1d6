import { type Expression, type SqlBool, sql } from 'kysely';
import type { Page, TimePlace } from '../lib/pages.ts';
import { allOf } from './results.ts';
import { literal, timeText } from './tables.ts';

/** The order of a list. No two rows have the same values of these columns. */
interface RowOrder<Place> {
  readonly columns: readonly string[];
  readonly newestFirst?: boolean;
  readonly valuesOf: (place: Place) => readonly (string | number)[];
}

/** A query without order. */
interface Rows<Row> {
  where(condition: Expression<SqlBool>): Rows<Row>;
  orderBy(column: Expression<unknown>, direction: 'asc' | 'desc'): Rows<Row>;
  limit(limit: Expression<number>): Rows<Row>;
  execute(): Promise<readonly Row[]>;
}

/** Reads the pages of a list. */
export const pagesBy =
  <Place>({ columns, newestFirst = false, valuesOf }: RowOrder<Place>) =>
  async <Row, Item>(
    rows: Rows<Row>,
    { limit, after, before, fromEnd = false }: Page<Place>,
    itemOf: (row: Row) => Item,
  ): Promise<readonly Item[]> => {
    const refs = columns.map((column) => sql.ref(column));
    const isBeside = (side: '<' | '>', place: Place) =>
      sql<SqlBool>`(${sql.join(refs)}) ${sql.raw(side)} (${sql.join(valuesOf(place))})`;
    let page = rows;
    if (after !== undefined) page = page.where(isBeside(newestFirst ? '<' : '>', after));
    if (before !== undefined) page = page.where(isBeside(newestFirst ? '>' : '<', before));
    for (const ref of refs) page = page.orderBy(ref, newestFirst === fromEnd ? 'asc' : 'desc');
    const found = await allOf(page.limit(literal(limit)), itemOf);
    return fromEnd ? found.toReversed() : found;
  };

/** Reads the pages of a list by a time, then the id, newest first. */
export const pagesByTime = <Name extends string>(column: string, name: Name) =>
  pagesBy({
    columns: [column, 'id'],
    newestFirst: true,
    valuesOf: (place: TimePlace<Name>) => [timeText(place[name]), place.id],
  });

/** The condition for a value of a filter. */
type ConditionOf<Value> = (value: Value) => Expression<SqlBool>;

/** The members of a filter are the names of its conditions. An absent member selects all rows. */
export type FilterOf<Conditions> = {
  readonly [Name in keyof Conditions]?: Conditions[Name] extends ConditionOf<infer Value>
    ? Value
    : never;
};

export const is =
  <Value extends string>(column: string): ConditionOf<Value> =>
  (value) =>
    sql`${sql.ref(column)} = ${value}`;

/** No value selects no row. `in ()` is no SQL for PostgreSQL. */
export const oneOf =
  <Value extends string | number>(
    column: string | Expression<Value>,
  ): ConditionOf<readonly Value[]> =>
  (values) =>
    sql`${typeof column === 'string' ? sql.ref(column) : column} in (${values.length > 0 ? sql.join(values) : sql`null`})`;

/** At this time or later. */
export const notBefore =
  (column: string): ConditionOf<Date> =>
  (time) =>
    sql`${sql.ref(column)} >= ${timeText(time)}`;

export const before =
  (column: string): ConditionOf<Date> =>
  (time) =>
    sql`${sql.ref(column)} < ${timeText(time)}`;

/** Whether a row meets all members of a filter. */
export function meets<Conditions extends Readonly<Record<string, ConditionOf<never>>>>(
  conditions: Conditions,
  filter: FilterOf<Conditions>,
): Expression<SqlBool> {
  const met = Object.entries(conditions).flatMap(([name, condition]) => {
    const value = filter[name];
    return value === undefined ? [] : [condition(value as never)];
  });
  return met.length > 0 ? sql`${sql.join(met, sql` and `)}` : sql`1 = 1`;
}
