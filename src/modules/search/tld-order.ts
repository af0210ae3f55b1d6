import { valueOr } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Quotes } from '../quote/quotes.ts';

/** The most popular TLDs, in this order; those that are not sold are skipped. */
const popular = 'com net org io co app dev ai shop xyz online store site info me biz'.split(' ');
const popularity = new Map(popular.map((name, at) => [name, at]));

/** Popular TLDs first, then by the price of the first period; prices in the main currency of the list come first. */
export function inOrder(tlds: readonly TldDetails[], quotes: Quotes): readonly TldDetails[] {
  const main = mainCurrency(tlds);
  return tlds
    .map((tld) => ({
      tld,
      rank: popularity.get(tld.name) ?? popular.length,
      price: quotes.firstPrice(tld),
    }))
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        byPrice(one.price, other.price, main) ||
        compare(one.tld.name, other.tld.name),
    )
    .map(({ tld }) => tld);
}

/** Prices of different currencies are never compared; no price comes last. */
function byPrice(one: Money | null, other: Money | null, main: string | null): number {
  const group = (price: Money | null) => (price === null ? 2 : price.currency === main ? 0 : 1);
  if (group(one) !== group(other)) return group(one) - group(other);
  if (one === null || other === null) return 0;
  return compare(one.currency, other.currency) || one.amount.compare(other.amount);
}

/** The currency of most TLDs; on a tie the first in the alphabet. */
function mainCurrency(tlds: readonly TldDetails[]): string | null {
  const counts = new Map<string, number>();
  for (const { prices } of tlds) {
    const listed = prices.find(({ operation }) => operation === 'REGISTRATION');
    const currency = valueOr(listed?.price ?? null, null)?.currency;
    if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  const [most] = [...counts].sort(
    ([one, often], [other, oftener]) => oftener - often || compare(one, other),
  );
  return most?.[0] ?? null;
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
