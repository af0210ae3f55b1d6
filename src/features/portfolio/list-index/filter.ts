import { type DomainName, parseTld, partOfName } from '../../../kernel/domain-name.ts';
import { type DomainState, expiringStates } from '../../../kernel/domain-state.ts';
import { allOf, anyOf, type Bits, noBits, setBit, without } from './bits.ts';
import type { IndexedList } from './indexed-list.ts';
import type { DomainFilter } from './types.ts';

/** The domains that meet every condition of the filter: the intersection of one set per condition. */
export function filterDomains(list: IndexedList, filter: DomainFilter, now: Date): Bits {
  const { columns } = list;
  const sets: [Bits, ...Bits[]] = [list.setOf('', () => columns.tlds.where((zone) => zone !== ''))];
  const add = (condition: string, value: unknown, compute: () => Bits) =>
    sets.push(list.setOf(`${condition} ${JSON.stringify(value)}`, compute));

  const { contains, tlds, states, expires, nameServer } = filter;
  const { transferLocked, privacyProtected } = filter;
  if (tlds) {
    const endings = tlds.map((tld) => `.${parseTld(tld) ?? ''}`);
    const isUnder = (zone: string) => endings.some((ending) => `.${zone}`.endsWith(ending));
    add('tlds', endings, () => columns.tlds.where(isUnder));
  }
  if (states) sets.push(inStates(list, states, now));
  if (nameServer) {
    const hasHost = (hosts: string) => hosts.split('\n').includes(nameServer);
    add('host', nameServer, () => columns.nameServers.where(hasHost));
  }
  const isFlag = (wanted: boolean) => (flag: string) => flag === String(wanted);
  if (typeof transferLocked === 'boolean') {
    add('locked', transferLocked, () => columns.transferLocked.where(isFlag(transferLocked)));
  }
  if (typeof privacyProtected === 'boolean') {
    add('hidden', privacyProtected, () => columns.privacyProtected.where(isFlag(privacyProtected)));
  }
  if (expires?.from || expires?.until) {
    const from = expires.from?.getTime() ?? -Infinity;
    const to = expires.until?.getTime() ?? Infinity;
    add('expires', expires, () => columns.expires.between(from, to));
  }
  const text = contains && partOfName(contains);
  if (text) add('text', text, () => columns.named(text));
  for (const names of filter.among ?? []) sets.push(withNames(list, names));
  return allOf(sets);
}

/** Not cached: the names come from the journal, where they change. */
function withNames(list: IndexedList, names: readonly DomainName[]): Bits {
  const bits = noBits(list.columns.size);
  for (const name of names) {
    const slot = list.slotOf(name);
    if (slot !== undefined) setBit(bits, slot);
  }
  return bits;
}

function inStates(list: IndexedList, states: readonly DomainState[], now: Date): Bits {
  const byStatus = list.setOf(`states ${JSON.stringify(states)}`, () =>
    list.columns.states.where((state) => states.includes(state as DomainState)),
  );
  const expired = expiredDomains(list, now);
  const unexpired = without(byStatus, expired);
  return states.includes('EXPIRED') ? anyOf(unexpired, expired) : unexpired;
}

/** The domains that are EXPIRED at this time. */
export function expiredDomains(list: IndexedList, now: Date): Bits {
  const { states, expires } = list.columns;
  const mayExpire = list.setOf('may expire', () =>
    states.where((state) => expiringStates.has(state)),
  );
  return allOf([mayExpire, expires.between(-Infinity, now.getTime() + 1)]);
}
