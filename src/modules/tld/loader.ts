import { type DomainName, splitAtTld } from '../../kernel/domain-name.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { PriceOperation, TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { once } from '../once.ts';

/** The size of page 1, which is the only page; more may be refused, and the catalogue has fewer. */
const catalogueSize = 1_000;

export type TldReads = ReturnType<typeof createTldReads>;

/** One `tldlist` for everything that one request asks of TLDs and their prices. */
export function createTldReads(api: DomainApi, options: CallOptions) {
  const catalogue = once(async () => {
    const tlds = await api.tldlist({ count: catalogueSize }, options);
    return { tlds, byName: new Map(tlds.map((tld) => [tld.name, tld])) };
  });
  return {
    list: async () => (await catalogue()).tlds,
    /** By its ASCII name; null when the service does not sell it. */
    byName: async (name: string) => (await catalogue()).byName.get(name) ?? null,
    /** The TLD that a name stands under, by the longest match, and the label above it; null when there is none. */
    async above(name: DomainName): Promise<{ label: string; tld: TldDetails } | null> {
      const { byName } = await catalogue();
      const parts = splitAtTld(name, (tld) => byName.has(tld));
      const tld = parts && byName.get(parts.tld);
      return parts && tld ? { label: parts.label, tld } : null;
    },
  };
}

/** The listed price; null when there is none, a Fault when it cannot be read. */
export const listedPrice = (
  tld: TldDetails,
  operation: PriceOperation,
  period: number,
): Leaf<Money | null> =>
  tld.prices.find((price) => price.operation === operation && price.period === period)?.price ??
  null;

/**
 * What `period` years cost: the price listed for just that period, else so many times the price of one year.
 *
 * Null when neither is listed or can be read.
 */
export function priceForYears(
  tld: TldDetails,
  operation: PriceOperation,
  period: number,
): Money | null {
  const exact = leafOr(listedPrice(tld, operation, period), null);
  if (exact) return exact;
  const year = leafOr(listedPrice(tld, operation, 1), null);
  return year && { ...year, amount: year.amount.times(Decimal.parse(String(period))) };
}
