import { type DomainName, splitAtTld } from '../../kernel/domain-name.ts';
import type { Leaf } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import { onceOf } from '../../kernel/once-of.ts';
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
    const { tlds, rowCount } = await api.tldlist({ count: catalogueSize }, options);
    const complete = rowCount < catalogueSize && tlds.length === rowCount;
    return { tlds, complete, byName: indexOf(tlds) };
  });
  return {
    list: async () => (await catalogue()).tlds,
    /** False when the upstream's page was full, so that more may exist, or when a row of it could not be read. */
    isComplete: async () => (await catalogue()).complete,
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

/** A list that is kept serves many requests. */
const indexOf = onceOf(
  (tlds: readonly TldDetails[]): ReadonlyMap<string, TldDetails> =>
    new Map(tlds.map((tld) => [tld.name, tld])),
);

/** The listed price; null when there is none, a Fault when it cannot be read. */
export const listedPrice = (
  tld: TldDetails,
  operation: PriceOperation,
  period: number,
): Leaf<Money | null> =>
  tld.prices.find((price) => price.operation === operation && price.period === period)?.price ??
  null;
