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

interface StoredList<Item, Place> {
  readonly list: (page: Page<Place>) => Promise<readonly Item[]>;
  readonly count: () => Promise<number>;
}

/** Reads a page, the length of the whole list, and whether items precede and follow the page. One item more shows that. */
export async function readStoredPage<Item, Place>(
  { list, count }: StoredList<Item, Place>,
  page: Page<Place>,
) {
  const { limit, fromEnd = false } = page;
  const [found, totalCount] = await Promise.all([list({ ...page, limit: limit + 1 }), count()]);
  const hasMore = found.length > limit;
  const items = fromEnd ? found.slice(hasMore ? 1 : 0) : found.slice(0, limit);
  // A place is that of an item, which is beside the page.
  const isBeside = (place: Place | undefined) => place !== undefined && items.length > 0;
  return {
    items,
    totalCount,
    before: (fromEnd && hasMore) || isBeside(page.after),
    after: (!fromEnd && hasMore) || isBeside(page.before),
  };
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
