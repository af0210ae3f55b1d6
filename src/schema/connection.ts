import { invalidInput, withinRange } from '../kernel/faults.ts';
import { cursorText, type Position } from '../kernel/ids.ts';
import { publicType, valueType } from '../kernel/schema-extensions.ts';
import { parseJson } from '../lib/json.ts';
import type { Beside, Page } from '../lib/pages.ts';
import { defaultPageSize, maxItems } from './arguments.ts';
import {
  builder,
  type ObjectFieldBuilder,
  type ObjectFields,
  type QueryArgBuilder,
} from './builder.ts';
import { requiredFields } from './fields.ts';

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

interface Edge<Item> {
  readonly position: Position;
  readonly node: Item;
}

export interface RelayPage<Item> {
  readonly edges: readonly Edge<Item>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A page of a list whose length is known. */
export interface CountedPage<Item> extends RelayPage<Item> {
  readonly totalCount: number;
}

const PageInfoRef = builder.objectRef<RelayPage<unknown>>('PageInfo').implement({
  description: 'Cursors of a page, and whether there are more items (Relay cursor connections).',
  extensions: { ...valueType, ...publicType },
  fields: (t) => ({
    ...requiredFields(t, 'Boolean', {
      hasNextPage: 'Whether items follow the page.',
      hasPreviousPage: 'Whether items precede the page.',
    }),
    startCursor: t.string({
      description: 'Cursor of the first item; null on an empty page.',
      resolve: ({ edges: [first] }) => first && cursorOf(first),
    }),
    endCursor: t.string({
      description: 'Cursor of the last item; pass it as `after` for the next page.',
      resolve({ edges }) {
        const last = edges.at(-1);
        return last && cursorOf(last);
      },
    }),
  }),
});

export type ObjectRefOf<Item> = ReturnType<ReturnType<typeof builder.objectRef<Item>>['implement']>;

/** The types `XConnection` and `XEdge` of a type. */
export const connectionRef = <
  Item extends object,
  Page extends CountedPage<Item> = CountedPage<Item>,
>(
  name: string,
  node: ObjectRefOf<Item>,
  /** Of both types. */
  extensions: Readonly<Record<string, unknown>> = {},
) =>
  pagesRef<Item, Page>(name, node, extensions, (t) => ({
    totalCount: t.int({
      nullable: false,
      description: 'Number of items that match the filter, on all pages together.',
      resolve: (page) => page.totalCount,
    }),
  }));

/** The types of a list, with the fields for its length. */
export function pagesRef<Item extends object, Page extends RelayPage<Item>>(
  name: string,
  node: ObjectRefOf<Item>,
  extensions: Readonly<Record<string, unknown>>,
  counts: (t: ObjectFieldBuilder<Page>) => ObjectFields,
) {
  const EdgeRef = builder.objectRef<Edge<Item>>(`${name}Edge`).implement({
    description: `One ${name} of a list.`,
    extensions,
    fields: (t) => ({
      cursor: t.string({
        nullable: false,
        description: 'Opaque cursor; remains valid when items are added or removed.',
        resolve: cursorOf,
      }),
      node: t.field({
        type: node,
        nullable: false,
        description: 'The item.',
        resolve: (edge) => edge.node as never,
      }),
    }),
  });
  return builder.objectRef<Page>(`${name}Connection`).implement({
    description: `A page of a list of ${name}.`,
    extensions,
    fields: (t) => ({
      edges: t.field({
        type: [EdgeRef],
        nullable: false,
        description: 'The items with their cursors.',
        resolve: (connection) => [...connection.edges],
      }),
      nodes: t.field({
        type: [node],
        nullable: false,
        description: 'The items without their cursors.',
        resolve: (connection) => connection.edges.map((edge) => edge.node) as never,
      }),
      pageInfo: t.field({
        type: PageInfoRef,
        nullable: false,
        description: 'Cursors of the page, and whether there are more items.',
        resolve: (connection) => connection,
      }),
      ...counts(t),
    }),
  });
}

/** The `args` of a connection field. `most` is the largest page. */
export const pageArgs = (t: { readonly arg: QueryArgBuilder }, most = maxItems) => ({
  first: t.arg.int({
    description: `Number of items from the start (0 to ${most}). Default: ${defaultPageSize}.`,
  }),
  after: t.arg.string({ description: 'Only items after this cursor.' }),
  last: t.arg.int({
    description: `Number of items from the end (0 to ${most}), instead of \`first\`.`,
  }),
  before: t.arg.string({ description: 'Only items before this cursor.' }),
});

const cursorOf = ({ position }: Edge<unknown>): string => cursorText(position);

/** @throws Fault `INVALID_INPUT` for text that is not a cursor with `parts` keys, or a cursor of another `order`. */
export function readCursor(
  argument: 'after' | 'before',
  cursor: string,
  parts: number,
  order?: string,
): Position {
  const position = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (
    Array.isArray(position) &&
    position.length === parts &&
    position.every((part) => typeof part === 'string') &&
    (order === undefined || position[0] === order)
  ) {
    return position;
  }
  throw invalidInput(
    `"${argument}" is not a cursor of this list; pass a "cursor", "startCursor" or "endCursor" of it, with the same order.`,
    { path: [argument] },
  );
}

/** The whole number in the position of a cursor. @throws Fault `INVALID_INPUT` for other text. */
export function numberIn([text = '']: Position, argument: 'after' | 'before'): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidInput(`"${argument}" is not a cursor of this list.`, { path: [argument] });
}

/** @throws Fault `INVALID_INPUT` for `first` and `last` at once, and for sizes outside 0 to `most`. */
export function readSpan({ first, last }: PageArgs, most = maxItems) {
  if (typeof first === 'number' && typeof last === 'number') {
    throw invalidInput('Pass "first" or "last", not both.', { path: ['first'] });
  }
  const fromEnd = typeof last === 'number';
  const limit = last ?? first ?? defaultPageSize;
  return { limit: withinRange(fromEnd ? 'last' : 'first', limit, 0, most), fromEnd };
}

interface Ordering {
  /** The number of parts of a position. */
  readonly parts: number;
  /** The name of the order, when the list has several. It is the first part of each position. */
  readonly order?: string;
  /** The largest page; default 100. */
  readonly most?: number;
}

/**
 * Validates the arguments of a page. Call it before the list is read, so that a refusal causes no upstream call.
 *
 * @throws Fault `INVALID_INPUT` as `readSpan` and `readCursor` do.
 */
export function readPage(
  args: PageArgs,
  { parts, order, most }: Ordering = { parts: 1 },
): Page<Position> {
  const read = (argument: 'after' | 'before') => {
    const cursor = args[argument];
    return typeof cursor === 'string' ? readCursor(argument, cursor, parts, order) : undefined;
  };
  return { ...readSpan(args, most), after: read('after'), before: read('before') };
}

/** A page as a connection. */
export const toConnection = <Item, Count>(
  items: readonly Item[],
  positionOf: (item: Item) => Position,
  { before, after, ...count }: Beside & Count,
) => ({
  edges: items.map((node) => ({ position: positionOf(node), node })),
  hasNextPage: after,
  hasPreviousPage: before,
  ...count,
});

/**
 * A page of a list in memory, ordered by `keyOf`. Each key must be unique: a cursor then remains valid when other items are
 * added or removed.
 */
export function paginate<Item>(
  items: readonly Item[],
  { limit, fromEnd, after, before }: Page<Position>,
  keyOf: (item: Item) => string,
): CountedPage<Item> {
  const sorted = items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const [first = ''] = after ?? [];
  const [last = ''] = before ?? [];
  const start = after ? sorted.filter((item) => keyOf(item) <= first).length : 0;
  const end = before ? sorted.filter((item) => keyOf(item) < last).length : sorted.length;
  const range = sorted.slice(start, Math.max(start, end));
  const from = fromEnd ? Math.max(0, range.length - limit) : 0;
  const page = range.slice(from, from + limit);
  return toConnection(page, (item) => [keyOf(item)], {
    before: start + from > 0,
    after: start + from + page.length < sorted.length,
    totalCount: items.length,
  });
}
