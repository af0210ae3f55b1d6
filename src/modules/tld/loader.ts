import { type DomainName, splitAtTld } from '../../kernel/domain-name.ts';
import { lazy, memoize } from '../../lib/lazy.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';

/** The size of page 1, which is the only page; more may be refused, and the catalogue has fewer. */
const catalogueSize = 1_000;

export type TldReads = ReturnType<typeof createTldReads>;

/** One `tldlist` serves all TLD and price reads of a request. */
export function createTldReads(api: DomainApi, options: CallOptions) {
  const catalogue = lazy(async () => {
    const { tlds, rowCount } = await api.tldlist({ count: catalogueSize }, options);
    /** False when the upstream's page was full, so that more may exist, or when a row of it could not be read. */
    const complete = rowCount < catalogueSize && tlds.length === rowCount;
    return { tlds, complete, byName: indexOf(tlds) };
  });
  return {
    catalogue,
    /** By its ASCII name; null when the upstream does not sell it. */
    byName: async (name: string) => (await catalogue()).byName.get(name) ?? null,
    /** The TLD of a name, by the longest match, and the label before it; null when no listed TLD matches. */
    async above(name: DomainName): Promise<{ label: string; tld: TldDetails } | null> {
      const { byName } = await catalogue();
      const parts = splitAtTld(name, (tld) => byName.has(tld));
      const tld = parts && byName.get(parts.tld);
      return parts && tld ? { label: parts.label, tld } : null;
    },
  };
}

/** A cached list is indexed once for many requests. */
const indexOf = memoize(
  (tlds: readonly TldDetails[]): ReadonlyMap<string, TldDetails> =>
    new Map(tlds.map((tld) => [tld.name, tld])),
);
