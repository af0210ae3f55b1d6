import { type Bits, countBits, hasBit } from './bits.ts';
import type { IndexedList } from './indexed-list.ts';
import { firstPlace } from './slot-order.ts';
import type { DomainPage, DomainPosition, PageQuery } from './types.ts';

/** One page of the domains in `bits`, and whether more of them precede and follow it. */
export function cutPage(
  list: IndexedList,
  bits: Bits,
  { place, limit, fromEnd, after, before }: PageQuery,
): DomainPage {
  const { columns, orders, size } = list;
  const slotAt = orders[place.field].reader(place.descending);
  const isIncluded = (at: number) => hasBit(bits, slotAt(at));
  const compare = (at: number, cursor: DomainPosition) =>
    comparePositions(place.positionOf(columns.placedAt(slotAt(at))), cursor) *
    (place.descending ? -1 : 1);

  const start = after ? firstPlace(size, (at) => compare(at, after) > 0) : 0;
  const end = before ? firstPlace(size, (at) => compare(at, before) >= 0) : size;
  const totalCount = countBits(bits);
  const most = Math.min(limit, totalCount);
  const places: number[] = [];
  const step = fromEnd ? -1 : 1;
  for (let at = fromEnd ? end - 1 : start; places.length < most; at += step) {
    if (at < start || at >= end) break;
    if (isIncluded(at)) places.push(at);
  }
  if (fromEnd) places.reverse();
  const isAnyIn = (from: number, to: number) => {
    if (places.length === totalCount) return false;
    for (let at = from; at < to; at += 1) if (isIncluded(at)) return true;
    return false;
  };
  const from = places[0] ?? (fromEnd ? Math.max(start, end) : start);
  const to = (places.at(-1) ?? from - 1) + 1;
  return {
    domains: places.map((at) => list.rowAt(slotAt(at))),
    more: {
      before: (fromEnd || start > 0) && isAnyIn(0, from),
      after: (!fromEnd || end < size) && isAnyIn(to, size),
      totalCount,
    },
  };
}

/** Negative, zero or positive: by the first part that differs, as text. */
function comparePositions(one: DomainPosition, other: DomainPosition): number {
  for (const [at, part] of one.entries()) {
    const against = other[at] ?? '';
    if (part !== against) return part < against ? -1 : 1;
  }
  return 0;
}
