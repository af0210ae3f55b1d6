import { parseTld } from '../../../kernel/domain-name.ts';
import { type DomainState, expiringStates } from '../../../kernel/domain-state.ts';

import { allOf, anyOf, type Bits, bitsOfCodes, noBits, setBit, without } from './bits.ts';
import type { IndexedList } from './indexed-list.ts';
import type { DomainFilter } from './portfolio-index.ts';
import { firstPlace } from './slot-order.ts';

/** The domains that meet every condition of the filter: the intersection of one set per condition. */
export function filterDomains(list: IndexedList, filter: DomainFilter, now: Date): Bits {
  const { columns } = list;
  const { codes, size } = columns;
  const sets: [Bits, ...Bits[]] = [list.setOf('', () => columns.present())];
  const add = (condition: string, value: unknown, compute: () => Bits) =>
    sets.push(list.setOf(`${condition} ${JSON.stringify(value)}`, compute));

  const { contains, tlds, states, expiresAfter, expiresBefore, nameServer } = filter;
  const { transferLocked, privacyProtected } = filter;
  if (tlds) {
    const endings = tlds.map((tld) => `.${parseTld(tld) ?? ''}`);
    const isUnder = (zone: string) => endings.some((ending) => `.${zone}`.endsWith(ending));
    add('tlds', endings, () => bitsOfCodes(codes.zone, size, columns.zones.marked(isUnder)));
  }
  if (states) sets.push(inStates(list, states, now));
  if (nameServer) {
    const hasHost = (hosts: string) => hosts.split('\n').includes(nameServer);
    add('host', nameServer, () =>
      bitsOfCodes(codes.hostSet, size, columns.hostSets.marked(hasHost)),
    );
  }
  for (const [name, value] of [
    ['locked', transferLocked],
    ['hidden', privacyProtected],
  ] as const) {
    if (typeof value !== 'boolean') continue;
    const isIncluded = Uint8Array.of(Number(!value), Number(value), 0);
    add(name, value, () => bitsOfCodes(codes[name], size, isIncluded));
  }
  if (expiresAfter || expiresBefore) {
    const from = expiresAfter?.getTime() ?? -Infinity;
    const to = expiresBefore?.getTime() ?? Infinity;
    sets.push(expiringBetween(list, from, to));
  }
  const text = contains?.trim().toLowerCase();
  if (text) add('text', text, () => list.withText(text));
  return allOf(sets);
}

function inStates(list: IndexedList, states: readonly DomainState[], now: Date): Bits {
  const { codes, size, states: known } = list.columns;
  const isIn = (state: string) => states.includes(state as DomainState);
  const byStatus = list.setOf(`states ${JSON.stringify(states)}`, () =>
    bitsOfCodes(codes.state, size, known.marked(isIn)),
  );
  const expired = expiredDomains(list, now);
  const unexpired = without(byStatus, expired);
  return states.includes('EXPIRED') ? anyOf(unexpired, expired) : unexpired;
}

/** The domains that are EXPIRED at this time. */
export function expiredDomains(list: IndexedList, now: Date): Bits {
  const { codes, size, states } = list.columns;
  const mayExpire = list.setOf('may expire', () =>
    bitsOfCodes(
      codes.state,
      size,
      states.marked((state) => expiringStates.has(state)),
    ),
  );
  return allOf([mayExpire, expiringBetween(list, -Infinity, now.getTime() + 1)]);
}

/** The domains with an expiry date of at least `from` and below `to`, in epoch milliseconds. */
function expiringBetween({ columns, orders }: IndexedList, from: number, to: number): Bits {
  const slotAt = orders.EXPIRES_AT.reader(false);
  const placeOf = (ms: number) =>
    firstPlace(orders.EXPIRES_AT.size, (at) => !((columns.expires[slotAt(at)] as number) < ms));
  const bits = noBits(columns.size);
  const end = placeOf(to);
  for (let at = placeOf(from); at < end; at += 1) setBit(bits, slotAt(at));
  return bits;
}
