import { type Expression, type SqlBool, sql } from 'kysely';
import type { TimeSpan } from '../kernel/instant.ts';
import { type FilteredPage, mostCounted, rowsPerSlice, type TimePlace } from '../lib/pages.ts';
import { allOf } from './results.ts';
import { turnsOf } from './sqlite-adapter.ts';
import { type Database, literal, timeText } from './tables.ts';
import { reading } from './unavailable.ts';

type Condition = Expression<SqlBool>;
type Values = readonly (string | number)[];

/** The order of a list. No two rows have the same values of these columns. */
interface RowOrder<Place> {
  readonly columns: readonly string[];
  readonly newestFirst?: boolean;
  readonly valuesOf: (place: Place) => Values;
}

/** The order by a time, then the id, newest first. */
export const byTime = <Name extends string>(
  column: string,
  name: Name,
): RowOrder<TimePlace<Name>> => ({
  columns: [column, 'id'],
  newestFirst: true,
  valuesOf: (place) => [timeText(place[name]), place.id],
});

/** A range of a list in the order in which it is read, with the conditions of its ends. */
interface Range {
  readonly isAscending: boolean;
  readonly start: Condition;
  readonly end: Condition;
  readonly onSlice: (() => void) | undefined;
}

/** A query whose columns are selected. */
interface Rows<Row> {
  orderBy(column: Expression<unknown>, direction: 'asc' | 'desc'): Rows<Row>;
  limit(limit: Expression<number>): Rows<Row> & Expression<unknown>;
  offset(offset: Expression<number>): Rows<Row>;
  execute(): Promise<readonly Row[]>;
}

/** A query that selects nothing yet. */
interface Unselected {
  where(condition: Condition): Unselected;
  select(selections: readonly object[]): Rows<object>;
}

interface ListOptions<Query, Row, Item, Place, Filter> {
  readonly order: RowOrder<Place>;
  readonly rows: (account: string, condition: Condition) => Query;
  readonly selected: (rows: Query) => Rows<Row>;
  readonly meets: (filter: Filter) => Condition;
  /** The members of this filter for which one index has the rows in the order of the list; 'all' when it selects few rows. */
  readonly indexed: (filter: Filter) => readonly (keyof Filter)[] | 'all';
  readonly itemOf: (row: Row) => Item;
}

/** The pages of a stored list, and its count, which ends above `mostCounted`. */
export function listOf<Query extends Unselected, Row, Item, Place, Filter extends object>(
  db: Database,
  options: ListOptions<Query, Row, Item, Place, Filter>,
) {
  const { order, rows, selected, meets, indexed, itemOf } = options;
  const { columns, newestFirst = false, valuesOf } = order;
  const refs = columns.map((column) => sql.ref(column));
  const names = columns.map((_, at) => `place${at}`);
  const turns = turnsOf(db);

  const beside = (side: '<' | '<=' | '>' | '>=', values: Values): Condition =>
    sql`(${sql.join(refs)}) ${sql.raw(side)} (${sql.join(values)})`;
  const inOrder = <Some>(some: Rows<Some>, isAscending: boolean) =>
    refs.reduce((sorted, ref) => sorted.orderBy(ref, isAscending ? 'asc' : 'desc'), some);

  /** The members of a filter that an index serves, and whether these are all. */
  function divide(filter: Filter) {
    const members: readonly PropertyKey[] | 'all' = indexed(filter);
    if (members === 'all') return { served: filter, isServed: true, areFew: true };
    const served = new Set(members);
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const some = given.filter(([name]) => served.has(name));
    return {
      served: Object.fromEntries(some) as Filter,
      isServed: some.length === given.length,
      areFew: false,
    };
  }

  /**
   * The conditions of the slices of a range, in an order. `isWhole`: the slice has `rowsPerSlice` rows. Each has one condition for
   * each of its ends: of two, SQLite may search with the one that selects all rows.
   */
  async function inSlices(
    account: string,
    filter: Filter,
    { isAscending, start: first, end, onSlice }: Range,
    visit: (slice: Condition, isWhole: boolean) => Promise<boolean>,
  ): Promise<void> {
    if (!turns) {
      await visit(both(first, end), false);
      return;
    }
    const readSlice = async (start: Condition): Promise<Values | null> => {
      const rest = both(both(start, end), meets(filter));
      const places = rows(account, rest).select(refs.map((ref, at) => ref.as(names[at] ?? '')));
      const whole = inOrder(places, isAscending).limit(literal(1));
      const [last] = await reading(() => whole.offset(literal(rowsPerSlice - 1)).execute());
      const values = last && names.map((name) => Reflect.get(last, name));
      const slice = both(start, values ? beside(isAscending ? '<=' : '>=', values) : end);
      return (await visit(slice, values !== undefined)) ? null : (values ?? null);
    };
    let start = first;
    for (;;) {
      onSlice?.();
      const from = start;
      const last = await turns.inTurn(() => readSlice(from));
      if (!last) return;
      start = beside(isAscending ? '>' : '<', last);
    }
  }

  async function list(
    account: string,
    {
      filter = {} as Filter,
      limit,
      after,
      before,
      fromEnd = false,
      onSlice,
    }: FilteredPage<Place, Filter>,
  ): Promise<readonly Item[]> {
    const isAscending = newestFirst === fromEnd;
    const follows = after ? beside(newestFirst ? '<' : '>', valuesOf(after)) : all;
    const precedes = before ? beside(newestFirst ? '>' : '<', valuesOf(before)) : all;
    const [start, end] = fromEnd ? [precedes, follows] : [follows, precedes];
    const read = (condition: Condition) => {
      const found = selected(rows(account, both(condition, meets(filter))));
      return reading(() => allOf(inOrder(found, isAscending).limit(literal(limit)), itemOf));
    };
    const { served, isServed } = divide(filter);
    let found: readonly Item[] = [];
    if (isServed) {
      found = await read(both(start, end));
    } else {
      await inSlices(account, served, { isAscending, start, end, onSlice }, async (slice) => {
        found = [...found, ...(await read(slice))].slice(0, limit);
        return found.length === limit;
      });
    }
    return fromEnd ? found.toReversed() : found;
  }

  /** At most `mostCounted + 1`. */
  async function countRows(account: string, condition: Condition): Promise<number> {
    const some = rows(account, condition).select([sql`1`.as('one')]);
    const limited = some.limit(literal(mostCounted + 1));
    const counted = sql<{
      amount: number | string;
    }>`select count(*) as amount from (${limited}) as counted`;
    return Number((await reading(() => counted.execute(db))).rows[0]?.amount);
  }

  async function count(
    account: string,
    filter = {} as Filter,
    onSlice?: () => void,
  ): Promise<number> {
    const { served, isServed, areFew } = divide(filter);
    if (areFew) return countRows(account, meets(filter));
    let amount = 0;
    const whole = { isAscending: !newestFirst, start: all, end: all, onSlice };
    await inSlices(account, served, whole, async (slice, isWhole) => {
      const isKnown = isServed && isWhole;
      amount += isKnown ? rowsPerSlice : await countRows(account, both(slice, meets(filter)));
      return amount > mostCounted;
    });
    return Math.min(amount, mostCounted + 1);
  }

  return {
    list,
    /** The number of items; `mostCounted + 1` when there are more. */
    count,
  };
}

/** Selects all rows. */
const all: Condition = sql`1 = 1`;

const both = (one: Condition, other: Condition): Condition =>
  one === all ? other : other === all ? one : sql`${one} and ${other}`;

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
    sql`${expressionOf(column)} in (${values.length > 0 ? sql.join(values) : sql`null`})`;

/** In this span of time. */
export const within =
  (column: string | Expression<string>): ConditionOf<TimeSpan> =>
  ({ from, until }) => {
    const time = expressionOf(column);
    const start: Condition = from ? sql`${time} >= ${timeText(from)}` : all;
    const end: Condition = until ? sql`${time} < ${timeText(until)}` : all;
    return both(start, end);
  };

const expressionOf = <Value>(column: string | Expression<Value>): Expression<Value> =>
  typeof column === 'string' ? sql.ref<Value>(column) : column;

/**
 * A column in a form that no index serves. With an index SQLite would search a slice by the times of a filter, which all rows can
 * meet, and not by its ends.
 */
export const unindexed = (column: string): Expression<string> =>
  sql`coalesce(${sql.ref(column)}, '')`;

/** Whether a row meets all members of a filter. */
export function meets<Conditions extends Readonly<Record<string, ConditionOf<never>>>>(
  conditions: Conditions,
  filter: FilterOf<Conditions>,
): Expression<SqlBool> {
  const met = Object.entries(conditions).flatMap(([name, condition]) => {
    const value = filter[name];
    return value === undefined ? [] : [condition(value as never)];
  });
  return met.length > 0 ? sql`${sql.join(met, sql` and `)}` : all;
}
