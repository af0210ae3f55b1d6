import type { DomainName } from '../../kernel/domain-name.ts';
import type { DomainState } from '../../kernel/domain-state.ts';
import { Decimal, type Money, money } from '../../kernel/money.ts';
import { allOf, type Bits, countBits, eachSlot, tally, without } from './bits.ts';
import type { Columns } from './columns.ts';
import type { Names } from './names.ts';

/** So many of a kind. */
export interface Count<Key extends string = string> {
  readonly key: Key;
  readonly count: number;
}

export interface RenewalMonth {
  readonly month: string;
  readonly count: number;
  /** One for each currency, in the order of their codes. */
  readonly totals: readonly Money[];
  readonly unpriced: number;
}

export type RenewalPrice = (name: DomainName) => Promise<Money | null>;

/** The account no longer has these to renew; one in redemption has to be restored instead. */
const notRenewed = new Set<string>(['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'DELETED', 'REDEMPTION']);

/** Counts of the chosen domains; each is computed when it is requested. */
export function countDomains(columns: Columns, bits: Bits, expired: Bits) {
  const { codes, zones, states, hosts, hostSets, hostsOfSet, months } = columns;
  const countOf = (column: Uint32Array, names: Names) => tally(bits, column, names.texts.length);

  return {
    byTld: (most: number) => largest(countOf(codes.zone, zones), zones.texts, most),
    byState(): readonly Count<DomainState>[] {
      const others = tally(without(bits, expired), codes.state, states.texts.length);
      const counts = [...others, countBits(allOf([bits, expired]))];
      return largest(
        counts,
        [...states.texts, 'EXPIRED'],
        Infinity,
      ) as readonly Count<DomainState>[];
    },
    byNameServer(most: number): readonly Count[] {
      const counts = new Uint32Array(hosts.texts.length);
      for (const [set, count] of countOf(codes.hostSet, hostSets).entries()) {
        if (count === 0) continue;
        for (const host of hostsOfSet[set] ?? []) counts[host] = (counts[host] as number) + count;
      }
      return largest(counts, hosts.texts, most);
    },
    byExpiryMonth: (): readonly Count[] =>
      [...countOf(codes.month, months)]
        .map((count, code) => ({ key: months.texts[code] ?? '', count }))
        .filter(({ key, count }) => key !== '' && count > 0)
        .sort((one, other) => (one.key < other.key ? -1 : 1)),

    /** What the domains that fall due in each of these months cost to renew for a year. */
    async renewals(wanted: readonly string[], priceOf: RenewalPrice): Promise<RenewalMonth[]> {
      const renewed = states.marked((state) => !notRenewed.has(state));
      const placeOf = months.texts.map((month) => wanted.indexOf(month));
      /** By month and zone, because domains of one zone have the same renewal price. */
      const due = wanted.map(() => new Uint32Array(zones.texts.length));
      eachSlot(bits, (slot) => {
        const place = placeOf[codes.month[slot] as number] as number;
        if (place < 0 || !renewed[codes.state[slot] as number]) return;
        const counts = due[place] as Uint32Array;
        const zone = codes.zone[slot] as number;
        counts[zone] = (counts[zone] as number) + 1;
      });
      const prices = new Map<number, Money | null>();
      for (const [zone, text] of zones.texts.entries()) {
        const isUsed = due.some((counts) => (counts[zone] as number) > 0);
        if (isUsed) prices.set(zone, await priceOf(`a.${text}` as DomainName));
      }
      return wanted.map((month, at) => ({ month, ...sumUp(due[at] ?? new Uint32Array(), prices) }));
    },
  };
}

function sumUp(zones: Uint32Array, prices: ReadonlyMap<number, Money | null>) {
  const totals = new Map<string, Decimal>();
  let [count, unpriced] = [0, 0];
  for (const [zone, domains] of zones.entries()) {
    if (domains === 0) continue;
    count += domains;
    const price = prices.get(zone);
    if (!price) {
      unpriced += domains;
      continue;
    }
    const sum = price.amount.times(Decimal.parse(String(domains)));
    totals.set(price.currency, sum.plus(totals.get(price.currency) ?? Decimal.zero));
  }
  const amounts = [...totals].sort(([one], [other]) => (one < other ? -1 : 1));
  return { count, unpriced, totals: amounts.map(([currency, amount]) => money(amount, currency)) };
}

/** The most frequent values, ties by text; values without domains are left out. */
function largest(
  counts: Uint32Array | readonly number[],
  texts: readonly string[],
  most: number,
): readonly Count[] {
  const best: Count[] = [];
  if (most === 0) return best;
  for (const [code, count] of counts.entries()) {
    if (count === 0) continue;
    const one = { key: texts[code] ?? '', count };
    const last = best.at(-1);
    if (best.length >= most && last && isAhead(last, one)) continue;
    const place = best.findIndex((other) => isAhead(one, other));
    best.splice(place === -1 ? best.length : place, 0, one);
    if (best.length > most) best.pop();
  }
  return best;
}

const isAhead = (one: Count, other: Count): boolean =>
  one.count > other.count || (one.count === other.count && one.key < other.key);
