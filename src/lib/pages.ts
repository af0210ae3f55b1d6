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
