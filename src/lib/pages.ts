import { lazy } from './lazy.ts';
import { createSlices, type SliceClock } from './slices.ts';

/** A part of a list. A place is what the list is ordered by. */
export interface Page<Place> {
  readonly limit: number;
  /** Only items that follow this place in the list. */
  readonly after?: Place | undefined;
  /** Only items that precede this place. */
  readonly before?: Place | undefined;
  /** Take the `limit` from the end of the range instead of its start. The order of the items is the same. */
  readonly fromEnd?: boolean;
  /** Called before each slice of a list that is read in slices; an error ends the read. */
  readonly onSlice?: (() => void) | undefined;
}

/** A place in a list that is ordered by a time, then the id. */
export type TimePlace<Name extends string> = Readonly<Record<Name, Date>> & { readonly id: string };

/** A part of the items that meet a filter; without one of all items. */
export interface FilteredPage<Place, Filter> extends Page<Place> {
  readonly filter?: Filter | undefined;
}

interface ListStore<Item, Place, Filter> {
  list(account: string, page: FilteredPage<Place, Filter>): Promise<readonly Item[]>;
  count(account: string, filter?: Filter, onSlice?: () => void): Promise<number>;
}

/** Where no index has the rows of a filter, SQLite reads so many rows of a list at a time. Other requests run in between. */
export const rowsPerSlice = 1_000;

/** A count of a stored list ends above this number, so that its cost has a bound. */
export const mostCounted = 10_000;

/** Whether a list has items before and after a page. */
export interface Beside {
  readonly before: boolean;
  readonly after: boolean;
}

export interface StoredPage<Item> extends Beside {
  readonly items: readonly Item[];
  /** The length of the whole list; `mostCounted + 1` when it is longer. */
  readonly count: () => Promise<number>;
}

/** Reads a page. One item more shows whether others follow. */
export async function readStoredPage<Item, Place, Filter>(
  store: ListStore<Item, Place, Filter>,
  account: string,
  page: FilteredPage<Place, Filter>,
): Promise<StoredPage<Item>> {
  const { limit, fromEnd = false } = page;
  const found = await store.list(account, { ...page, limit: limit + 1 });
  const hasMore = found.length > limit;
  const items = fromEnd ? found.slice(hasMore ? 1 : 0) : found.slice(0, limit);
  // A place is that of an item, which is beside the page.
  const isBeside = (place: Place | undefined) => place !== undefined && items.length > 0;
  return {
    items,
    count: lazy(() => store.count(account, page.filter, page.onSlice)),
    before: (fromEnd && hasMore) || isBeside(page.after),
    after: (!fromEnd && hasMore) || isBeside(page.before),
  };
}

/** The database of SQLite reads a page without a break, so that a page must be short. */
const itemsPerRead = 100;

/**
 * All items of a stored list, read page by page while they are used. Other requests run between two pages. Items that are added at
 * its start later are not among them.
 */
export async function* itemsOf<Item>(
  clock: SliceClock,
  readPage: (page: { limit: number; after: Item | undefined }) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void> {
  const slices = createSlices(clock);
  let last: Item | undefined;
  do {
    const page: readonly Item[] = await readPage({ limit: itemsPerRead, after: last });
    yield* page;
    last = page[itemsPerRead - 1];
    // The promises of SQLite resolve without a turn of the event loop.
    if (slices.isOver()) await slices.next();
  } while (last !== undefined);
}

/** All items of a stored list, read page by page. A page with fewer than `size` items is the last. */
export async function readAllPages<T>(
  size: number,
  readPage: (after: T | null) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await readPage(items.at(-1) ?? null);
    items.push(...page);
    if (page.length < size) return items;
  }
}
