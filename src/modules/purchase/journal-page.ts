import { type Caller, mayAny } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Page } from '../../persistence/pages.ts';

interface JournalList<Item, Position> {
  readonly list: (place: Page<Position>) => Promise<readonly Item[]>;
  readonly count: () => Promise<number>;
  readonly positionOf: (item: Item) => Position;
}

/** Reads a page, the length of the whole list, and whether items precede and follow the page. */
export async function readJournalPage<Item, Position>(
  { list, count, positionOf }: JournalList<Item, Position>,
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

/**
 * A filter of purchases or jobs, for those that the caller sees. A caller without a name has none of its own.
 *
 * @throws Fault `FORBIDDEN`
 */
export function visibleFilter<
  Filter extends { readonly caller?: string; readonly customer?: string },
>(caller: Caller, filter: Filter): Filter {
  const { name, customer } = caller;
  if (mayAny(caller, ['ops'])) return filter;
  if (filter.caller === undefined) {
    if (customer === null) return { ...filter, caller: name ?? '' };
    // No customer has an empty name.
    return { ...filter, customer: (filter.customer ?? customer) === customer ? customer : '' };
  }
  throw new Fault('FORBIDDEN', { message: 'The filter `caller` needs the scope `ops`.' });
}
