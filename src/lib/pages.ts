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

interface StoredList<Item, Position> {
  readonly list: (place: Page<Position>) => Promise<readonly Item[]>;
  readonly count: () => Promise<number>;
  readonly positionOf: (item: Item) => Position;
}

/** Reads a page, the length of the whole list, and whether items precede and follow the page. */
export async function readStoredPage<Item, Position>(
  { list, count, positionOf }: StoredList<Item, Position>,
  page: Page<Position>,
) {
  const isAny = async (place: Partial<Page<Position>>) =>
    (await list({ limit: 1, ...place })).length > 0;
  const [items, totalCount] = await Promise.all([list(page), count()]);
  const [first, last] = [items.at(0), items.at(-1)];
  return {
    items,
    totalCount,
    before: first ? await isAny({ before: positionOf(first) }) : false,
    // An empty page has no last item to continue after.
    after: last
      ? await isAny({ after: positionOf(last) })
      : page.limit === 0 && (await isAny({ ...page, limit: 1 })),
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
