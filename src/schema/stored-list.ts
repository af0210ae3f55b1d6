import type { Position } from '../kernel/ids.ts';
import { checkSpan, parseInstant, type TimeSpan } from '../kernel/instant.ts';
import { nullWithError } from '../kernel/schema-extensions.ts';
import {
  type FilteredPage,
  mostCounted,
  type Page,
  type StoredPage,
  type TimePlace,
} from '../lib/pages.ts';
import { withThousands } from '../lib/text.ts';
import type { Scope } from '../scope/scope.ts';
import { maxItems } from './arguments.ts';
import type { InputRef, QueryArgBuilder } from './builder.ts';
import {
  type ObjectRefOf,
  type PageArgs,
  pageArgs,
  pagesRef,
  type RelayPage,
  readPage,
  toConnection,
} from './connection.ts';
import { costs, costsPage, costsPageOfDomains } from './cost.ts';

type Reader = Pick<Scope, 'use' | 'readOnce'>;

interface ListOptions<Item, Place, Filter> {
  readonly name: string;
  /** The number of parts of a position. */
  readonly parts: number;
  readonly positionOf: (item: Item, scope: Reader) => Position;
  /** @throws Fault `INVALID_INPUT` for a position that is none of this list */
  readonly placeOf: (
    position: Position,
    argument: 'after' | 'before',
    scope: Reader,
  ) => Place | Promise<Place>;
  /** The largest page. */
  readonly most?: number;
  /** The entities of an item, for the cost of the fields below it. */
  readonly each?: Readonly<Partial<Record<'domains' | 'purchases', number>>>;
  readonly list: (scope: Reader, page: FilteredPage<Place, Filter>) => Promise<StoredPage<Item>>;
}

/** A list of the journal in the graph. */
export function storedList<Item, Place, Filter>(options: ListOptions<Item, Place, Filter>) {
  const { name, parts, positionOf, placeOf, most = maxItems, each = {}, list } = options;
  /** @throws Fault `INVALID_INPUT` as `readPage` does */
  const places = async (scope: Reader, args: PageArgs): Promise<Page<Place>> => {
    const { after, before, ...span } = readPage(args, { parts, most });
    return {
      ...span,
      after: after && (await placeOf(after, 'after', scope)),
      before: before && (await placeOf(before, 'before', scope)),
    };
  };
  return {
    places,
    /**
     * Reads a page, once for equal arguments.
     *
     * @throws Fault `INVALID_INPUT` as `readPage` and `checkSpans` do
     */
    async page(scope: Reader, args: PageArgs, filter: Filter): Promise<StoredRelayPage<Item>> {
      checkSpans(filter);
      const key = `${name} ${JSON.stringify([args, filter])}`;
      const listed = await scope.readOnce(key, async (onSlice) =>
        list(scope, { ...(await places(scope, args)), filter, onSlice }),
      );
      const { items, ...more } = listed;
      return toConnection(items, (item) => positionOf(item, scope), more);
    },
    /** The `extensions` of a root field. */
    extensions: {
      ...nullWithError,
      ...costs((count, args) => {
        const owners = costsPage(count, name, args);
        const entities = Object.entries(each).map(([kind, number]) => [
          kind,
          count.page(owners.key, owners.amount * number),
        ]);
        return { ...Object.fromEntries(entities), owners };
      }),
    },
    /** The `extensions` of a field of domains. */
    ofDomains: {
      ...nullWithError,
      ...costs((count, args, above) => costsPageOfDomains(count, name, args, above)),
    },
  };
}

/** @throws Fault `INVALID_INPUT` for a span of the argument `filter` that contains no time */
export function checkSpans(filter: unknown): void {
  for (const [name, value] of Object.entries(filter ?? {})) {
    const isSpan = typeof value === 'object' && ('from' in value || 'until' in value);
    if (isSpan) checkSpan(value as TimeSpan, ['filter', name]);
  }
}

interface StoredRelayPage<Item> extends RelayPage<Item> {
  readonly count: StoredPage<Item>['count'];
}

const most = withThousands(mostCounted);

/** The types of a list of the journal, which is counted when a client selects its length. */
export const storedListRef = <Item extends object>(
  name: string,
  node: ObjectRefOf<Item>,
  extensions: Readonly<Record<string, unknown>> = {},
) =>
  pagesRef<Item, StoredRelayPage<Item>>(name, node, extensions, (t) => ({
    totalCount: t.int({
      description: `Number of items that match the filter, on all pages together; null above ${most}.`,
      async resolve({ count }) {
        const amount = await count();
        return amount > mostCounted ? null : amount;
      },
    }),
    countAtLeast: t.int({
      nullable: false,
      description: `\`totalCount\`, or ${most} when there are more items.`,
      resolve: async ({ count }) => Math.min(await count(), mostCounted),
    }),
  }));

/** The `args` of a list: a page, and a filter without which the list has `all`. */
export const listArgs = <Filter>(
  t: { readonly arg: QueryArgBuilder },
  filter: InputRef<Filter>,
  all: string,
  most?: number,
) => ({
  ...pageArgs(t, most),
  filter: t.arg({ type: filter, description: `Conditions. Default: all ${all}.` }),
});

/** The order by a time, then the id. */
export const byTime = <Name extends string>(name: Name) => ({
  parts: 2,
  positionOf: (item: TimePlace<Name>): Position => [item[name].toISOString(), item.id],
  placeOf: ([time = '', id = '']: Position) =>
    ({ [name]: parseInstant(time), id }) as TimePlace<Name>,
});
