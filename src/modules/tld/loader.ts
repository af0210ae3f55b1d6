import { type DomainName, splitAtTld } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { lazy, memoize } from '../../lib/lazy.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';

/** The size of page 1, which is the only page; more may be refused, and the catalogue has fewer. */
const catalogueSize = 1_000;

export type TldReads = ReturnType<typeof createTldReads>;

/** The price list with an index. */
export type Catalogue = ReturnType<typeof toCatalogue>;

type TldList = Awaited<ReturnType<DomainApi['tldlist']>>;

function toCatalogue({ tlds, rowCount, hasEveryRow }: TldList) {
  /** False when the upstream's page was full, so that more may exist, and when the name in a row could not be read. */
  const hasEveryTld = rowCount < catalogueSize && hasEveryRow;
  /** False also when a price could not be read. */
  const complete = hasEveryTld && tlds.every(({ hasAllPrices }) => hasAllPrices);
  return { tlds, hasEveryTld, complete, byName: indexOf(tlds) };
}

/** The TLD of a name, by the longest match, and the label before it; null when no listed TLD matches. */
export function aboveIn(
  { byName }: Pick<Catalogue, 'byName'>,
  name: DomainName,
): { readonly label: string; readonly tld: TldDetails } | null {
  const parts = splitAtTld(name, (tld) => byName.has(tld));
  const tld = parts && byName.get(parts.tld);
  return parts && tld ? { label: parts.label, tld } : null;
}

/** One `tldlist` serves all TLD and price reads of a request. */
export function createTldReads(api: DomainApi, options: CallOptions) {
  const request = { count: catalogueSize };
  const catalogue = lazy(async () => toCatalogue(await api.tldlist(request, options)));
  const cached = lazy(() => {
    const list = api.cachedTlds(request);
    return list && toCatalogue(list);
  });
  return {
    catalogue,
    /**
     * The catalogue when this request reads it anyway, and otherwise the cached one, however old; null without either. It
     * never causes a call.
     */
    async atHand(): Promise<Catalogue | null> {
      // The resolvers of the fields beside this one may start to read the list.
      await null;
      if (!catalogue.started()) return cached();
      const list = await catalogue().catch(asFault);
      return list instanceof Fault ? null : list;
    },
    /** By its ASCII name; null when the upstream does not sell it. */
    byName: async (name: string) => (await catalogue()).byName.get(name) ?? null,
    /** As `aboveIn` the catalogue. */
    above: async (name: DomainName) => aboveIn(await catalogue(), name),
  };
}

/** A cached list is indexed once for many requests. */
const indexOf = memoize(
  (tlds: readonly TldDetails[]): ReadonlyMap<string, TldDetails> =>
    new Map(tlds.map((tld) => [tld.name, tld])),
);
