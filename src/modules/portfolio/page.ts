import { hasBit, slotsIn } from './bits.ts';
import type { DomainIndex } from './domain-index.ts';
import type { Choice } from './filter.ts';
import { comparePositions, type DomainPlace, type DomainPosition } from './order.ts';
import { firstPlace } from './slot-order.ts';

/** What a caller asked to see. */
export interface Wish {
  readonly limit: number;
  /** Whether the page is the end of its range rather than the start. */
  readonly fromEnd: boolean;
  readonly after: DomainPosition | null;
  readonly before: DomainPosition | null;
}

/** Up to this number, the matches are sorted, instead of filtering the order of all domains. */
const few = 256;

/** One page of the domains that were chosen, and whether there are more of them on either side. */
export function cutPage(
  index: DomainIndex,
  { bits, count, dates }: Choice,
  place: DomainPlace,
  { limit, fromEnd, after, before }: Wish,
) {
  const { columns, orders, size: all } = index;
  const order = orders[place.field];
  const isFew = count <= few;
  const slotAt = isFew
    ? order.readerOf(slotsIn(bits), place.descending)
    : order.reader(place.descending);
  const size = isFew ? count : all;
  const isChosen = (at: number) => isFew || hasBit(bits, slotAt(at));
  const against = (at: number, cursor: DomainPosition) =>
    comparePositions(place.positionOf(columns.placedAt(slotAt(at))), cursor) *
    (place.descending ? -1 : 1);

  // No domain that was chosen stands outside of these.
  const [first, last] =
    dates && place.field === 'EXPIRES_AT'
      ? spanOf(size, (at) => columns.expires[slotAt(at)] as number, dates, place.descending)
      : [0, size];
  const start = Math.max(first, after ? firstPlace(size, (at) => against(at, after) > 0) : first);
  const end = Math.max(
    start,
    Math.min(last, before ? firstPlace(size, (at) => against(at, before) >= 0) : last),
  );

  const places: number[] = [];
  if (fromEnd) {
    for (let at = end - 1; at >= start && places.length < limit; at -= 1) {
      if (isChosen(at)) places.unshift(at);
    }
  } else {
    for (let at = start; at < end && places.length < limit; at += 1) {
      if (isChosen(at)) places.push(at);
    }
  }
  const from = places[0] ?? (fromEnd ? end : start);
  const to = (places.at(-1) ?? from - 1) + 1;
  return {
    domains: places.map((at) => index.rowAt(slotAt(at))),
    more: {
      before: (fromEnd || start > first) && lastChosen(first, from, isChosen),
      after: (!fromEnd || end < last) && nextChosen(to, last, isChosen),
      totalCount: count,
    },
  };
}

type Test = (place: number) => boolean;

/** Where those stand whose date is from the one on and before the other, in either direction. */
function spanOf(
  size: number,
  dateAt: (place: number) => number,
  [from, to]: readonly [number, number],
  descending: boolean,
): readonly [number, number] {
  return descending
    ? [
        firstPlace(size, (at) => !(dateAt(at) >= to)),
        firstPlace(size, (at) => !(dateAt(at) >= from)),
      ]
    : [
        firstPlace(size, (at) => !(dateAt(at) < from)),
        firstPlace(size, (at) => !(dateAt(at) < to)),
      ];
}

function lastChosen(first: number, end: number, isChosen: Test): boolean {
  for (let at = end - 1; at >= first; at -= 1) if (isChosen(at)) return true;
  return false;
}

function nextChosen(from: number, end: number, isChosen: Test): boolean {
  for (let at = from; at < end; at += 1) if (isChosen(at)) return true;
  return false;
}
