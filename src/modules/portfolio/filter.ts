import { parseTld } from '../../kernel/domain-name.ts';
import type { DomainState } from '../../kernel/domain-state.ts';
import { allOf, anyOf, type Bits, bitsOfCodes, countBits, without } from './bits.ts';
import type { Columns } from './columns.ts';
import type { DateSets } from './date-sets.ts';
import type { NameSearch } from './name-search.ts';

/** Which domains to list; every condition that is given must be met. A leaf that cannot be read matches nothing that asks for it. */
export interface DomainFilter {
  readonly contains?: string | null | undefined;
  readonly tlds?: readonly string[] | null | undefined;
  readonly states?: readonly DomainState[] | null | undefined;
  readonly expiresAfter?: Date | null | undefined;
  readonly expiresBefore?: Date | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly nameServer?: string | null | undefined;
}

/** The domains that match. */
export interface Choice {
  readonly bits: Bits;
  readonly count: number;
  /** Expiry from the first time (inclusive) to the second (exclusive), in epoch milliseconds; absent without that filter. */
  readonly dates?: readonly [number, number];
}

/** The index that is filtered. `remembered` may return the set of an earlier call with the same key. */
interface Field {
  readonly columns: Columns;
  readonly search: NameSearch;
  readonly dates: DateSets;
  readonly remembered: (key: string, make: () => Bits) => Bits;
}

/** The intersection of one set per condition. `expired` are the domains that are expired now. */
export function choose(
  { columns, search, dates, remembered }: Field,
  filter: DomainFilter,
  expired: () => Bits,
): Choice {
  const { codes, size } = columns;
  const sets: [Bits, ...Bits[]] = [remembered('', () => columns.present())];
  const add = (about: string, wish: unknown, make: () => Bits) =>
    sets.push(remembered(`${about} ${JSON.stringify(wish)}`, make));

  const { contains, tlds, states, expiresAfter, expiresBefore, nameServer } = filter;
  const { transferLocked, privacyProtected } = filter;
  if (tlds) {
    const endings = tlds.map((tld) => `.${parseTld(tld) ?? ''}`);
    const isUnder = (zone: string) => endings.some((ending) => `.${zone}`.endsWith(ending));
    add('tlds', endings, () => bitsOfCodes(codes.zone, size, columns.zones.marked(isUnder)));
  }
  if (states) {
    const isIn = (state: string) => states.includes(state as DomainState);
    const byStatus = remembered(`states ${JSON.stringify(states)}`, () =>
      bitsOfCodes(codes.state, size, columns.states.marked(isIn)),
    );
    const unexpired = without(byStatus, expired());
    sets.push(states.includes('EXPIRED') ? anyOf(unexpired, expired()) : unexpired);
  }
  if (nameServer) {
    const serves = (hosts: string) => hosts.split('\n').includes(nameServer);
    add('host', nameServer, () =>
      bitsOfCodes(codes.hostSet, size, columns.hostSets.marked(serves)),
    );
  }
  for (const [name, wish] of [
    ['locked', transferLocked],
    ['hidden', privacyProtected],
  ] as const) {
    if (typeof wish !== 'boolean') continue;
    const isKept = Uint8Array.of(Number(!wish), Number(wish), 0);
    add(name, wish, () => bitsOfCodes(codes[name], size, isKept));
  }
  const from = expiresAfter?.getTime() ?? -Infinity;
  const to = expiresBefore?.getTime() ?? Infinity;
  const hasDates = Boolean(expiresAfter || expiresBefore);
  if (hasDates) add('dates', [from, to].join(), () => dates.between(from, to));
  const text = contains?.trim().toLowerCase();
  if (text) add('text', text, () => search.find(text));

  const bits = allOf(sets);
  return { bits, count: countBits(bits), ...(hasDates && { dates: [from, to] }) };
}
