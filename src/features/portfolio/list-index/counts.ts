import type { DomainName } from '../../../kernel/domain-name.ts';
import { type DomainState, notRenewed } from '../../../kernel/domain-state.ts';
import { type Money, sumsOf } from '../../../kernel/money.ts';
import {
  allOf,
  type Bits,
  type Columns,
  countBits,
  hasBit,
  monthText,
  without,
} from './columns.ts';
import type { Count, RenewalMonth, RenewalPrice } from './types.ts';

/** Counts of the domains in `bits`; each is computed when it is requested. Lists with a limit have the largest counts first. */
export function countDomains(columns: Columns, bits: Bits, expired: Bits) {
  const { tlds, states, hosts, nameServers, months } = columns;
  return {
    totalCount: countBits(bits),
    byTld: (limit: number) => largest(tlds.texts, tlds.countsIn(bits), limit),
    byState() {
      const others = states.countsIn(without(bits, expired));
      const counts = Uint32Array.of(...others, countBits(allOf([bits, expired])));
      return largest([...states.texts, 'EXPIRED'], counts) as readonly Count<DomainState>[];
    },
    byNameServer(limit: number) {
      const hostsOfSets = columns.hostsOfSets();
      const counts = new Uint32Array(hosts.texts.length);
      for (const [set, count] of nameServers.countsIn(bits).entries()) {
        for (const host of hostsOfSets[set] ?? []) counts[host] = (counts[host] as number) + count;
      }
      return largest(hosts.texts, counts, limit);
    },
    byExpiryMonth: () =>
      largest(months.texts, months.countsIn(bits))
        .filter(({ key }) => key !== '')
        .sort((one, other) => (one.key < other.key ? -1 : 1)),
    /** The domains that expire in each of `months` months, beginning with that of `from`. */
    renewals: (from: Date, count: number, priceOf: RenewalPrice) =>
      renewalsOf(columns, bits, monthsFrom(from, count), priceOf),
    /** The domains that expire at `from` or later and before `to`. */
    async renewalsBetween(from: Date, to: Date, priceOf: RenewalPrice) {
      const expiring = columns.expires.between(from.getTime(), to.getTime());
      const due = tlds.countsIn(allOf([renewedOf(columns, bits), expiring]));
      return sumUp(due, await pricesOf(columns, [due], priceOf));
    },
  };
}

/** Consecutive months, beginning with that of the date. */
const monthsFrom = (date: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    monthText(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + at))),
  );

/** Those of the domains in `bits` that can be renewed. */
const renewedOf = ({ states }: Columns, bits: Bits): Bits =>
  allOf([bits, states.where((state) => !notRenewed.has(state))]);

async function renewalsOf(
  columns: Columns,
  bits: Bits,
  wanted: readonly string[],
  priceOf: RenewalPrice,
): Promise<readonly RenewalMonth[]> {
  const { tlds, months, size } = columns;
  const renewed = renewedOf(columns, bits);
  const placeOf = months.texts.map((month) => wanted.indexOf(month));
  /** By month and zone, because domains of one zone have the same renewal price. */
  const due = wanted.map(() => new Uint32Array(tlds.texts.length));
  for (let slot = 0; slot < size; slot += 1) {
    const place = placeOf[months.codes[slot] as number] as number;
    // `due[-1]` would take ten times as long.
    if (place < 0 || !hasBit(renewed, slot)) continue;
    const counts = due[place] as Uint32Array;
    const zone = tlds.codes[slot] as number;
    counts[zone] = (counts[zone] as number) + 1;
  }
  const prices = await pricesOf(columns, due, priceOf);
  return wanted.map((month, at) => ({ month, ...sumUp(due[at] ?? new Uint32Array(), prices) }));
}

/** The renewal prices of the TLDs with domains. */
async function pricesOf(
  { tlds }: Columns,
  due: readonly Uint32Array[],
  priceOf: RenewalPrice,
): Promise<ReadonlyMap<number, Money | null>> {
  const prices = new Map<number, Money | null>();
  for (const [zone, text] of tlds.texts.entries()) {
    const isDue = due.some((counts) => (counts[zone] as number) > 0);
    if (isDue) prices.set(zone, await priceOf(`a.${text}` as DomainName));
  }
  return prices;
}

/** `tlds` has the number of domains by TLD. */
function sumUp(tlds: Uint32Array, prices: ReadonlyMap<number, Money | null>) {
  const priced: (readonly [Money, number])[] = [];
  let [count, unpriced] = [0, 0];
  for (const [zone, domains] of tlds.entries()) {
    if (domains === 0) continue;
    count += domains;
    const price = prices.get(zone);
    if (price) priced.push([price, domains]);
    else unpriced += domains;
  }
  return { count, unpriced, totals: sumsOf(priced) };
}

/** The most frequent texts, ties in alphabetical order; those without domains are left out. */
export function largest(texts: readonly string[], counts: Uint32Array, limit = Infinity): Count[] {
  const best: Count[] = [];
  for (const [code, count] of counts.entries()) {
    const one = { key: texts[code] ?? '', count };
    const last = best.at(-1);
    if (count === 0 || (best.length >= limit && !(last && isAhead(one, last)))) continue;
    const place = best.findIndex((other) => isAhead(one, other));
    best.splice(place === -1 ? best.length : place, 0, one);
    if (best.length > limit) best.pop();
  }
  return best;
}

const isAhead = (one: Count, other: Count): boolean =>
  one.count > other.count || (one.count === other.count && one.key < other.key);
