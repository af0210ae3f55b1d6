import { type DomainName, isLookalike, splitAtTld } from '../../kernel/domain-name.ts';
import { asFault, Fault, invalidInput, valueOr } from '../../kernel/faults.ts';
import { lazy, memoize } from '../../lib/lazy.ts';
import { perReads } from '../../scope/reads.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';

/** The size of page 1, which is the only page; more may be refused, and the catalogue has fewer. */
const catalogueSize = 1_000;

export type TldReads = ReturnType<typeof createTldReads>;

type TldList = Awaited<ReturnType<DomainApi['tldlist']>>;

/** A cached list is read once for many requests. */
const toCatalogue = memoize(({ tlds, rowCount, hasEveryRow }: TldList) => {
  /** False when the upstream's page was full, so that more may exist, and when the name in a row could not be read. */
  const hasEveryTld = rowCount < catalogueSize && hasEveryRow;
  /** False also when a price could not be read. */
  const complete = hasEveryTld && tlds.every(({ hasAllPrices }) => hasAllPrices);
  const byName: ReadonlyMap<string, TldDetails> = new Map(tlds.map((tld) => [tld.name, tld]));
  return { tlds, hasEveryTld, complete, byName };
});

type Catalogue = ReturnType<typeof toCatalogue>;

/** The TLD of a name, by the longest match. */
export interface Above {
  readonly tld: TldDetails;
  /** The part before the TLD. */
  readonly label: string;
  /** Why no registry can sell the name; null when no rule of the TLD is broken. */
  readonly labelFault: Fault | null;
}

type TldsByName = ReadonlyMap<string, TldDetails>;

/** Null when no listed TLD matches. */
function splitIn(byName: TldsByName, name: DomainName) {
  const parts = splitAtTld(name, (tld) => byName.has(tld));
  const tld = parts && byName.get(parts.tld);
  return parts && tld ? { tld, label: parts.label } : null;
}

/** Null when no listed TLD matches. */
function aboveIn(byName: TldsByName, name: DomainName): Above | null {
  const parts = splitIn(byName, name);
  return parts && { ...parts, labelFault: labelFault(name, parts.label, parts.tld) };
}

/** One `tldlist` serves all TLD and price reads of a request. */
export function createTldReads(api: DomainApi, options: CallOptions) {
  const request = { count: catalogueSize };
  /** Null when the list has to be requested. */
  const fresh = lazy(() => {
    const list = options.shared ? api.freshTlds(request, options) : null;
    return list && toCatalogue(list);
  });
  const catalogue = lazy(async () => fresh() ?? toCatalogue(await api.tldlist(request, options)));
  const cached = lazy(() => {
    const list = api.cachedTlds(request);
    return list && toCatalogue(list);
  });
  return {
    catalogue,
    /**
     * As `above`, by the price list that this request reads anyway, or else by the cached one, however old; null without
     * either. It never causes a call.
     */
    async atHand(): Promise<((name: DomainName) => Above | null) | null> {
      // The resolvers of the fields beside this one may start to read the list.
      await null;
      const list = catalogue.started() ? await catalogue().catch(asFault) : cached();
      return list && !(list instanceof Fault) ? (name) => aboveIn(list.byName, name) : null;
    },
    /** By its ASCII name; null when the upstream does not sell it. */
    byName: async (name: string) => (await catalogue()).byName.get(name) ?? null,
    /** Without the rules of the label. Null when no listed TLD matches. A promise only when the list is not in the cache. */
    tldOf(name: DomainName): TldDetails | null | Promise<TldDetails | null> {
      const find = ({ byName }: Pick<Catalogue, 'byName'>) => splitIn(byName, name)?.tld ?? null;
      const now = fresh();
      return now ? find(now) : catalogue().then(find);
    },
    /** Null when no listed TLD matches. A promise only when the list is not in the cache. */
    above(name: DomainName): Above | null | Promise<Above | null> {
      const now = fresh();
      return now
        ? aboveIn(now.byName, name)
        : catalogue().then(({ byName }) => aboveIn(byName, name));
    },
  };
}

export const tldReads = perReads('tldReads', ({ api, options }) => createTldReads(api, options()));

/** Why the registrar does not sell `name`, which is `label` under `tld`, as far as its catalogue says; null otherwise. */
export function saleFault(name: DomainName, label: string, tld: TldDetails): Fault | null {
  const status = valueOr(tld.status, null)?.trim().toLowerCase();
  return status === undefined || status === 'active'
    ? labelFault(name, label, tld)
    : new Fault('TLD_UNSUPPORTED', { message: `.${tld.name} is not sold at present.` });
}

/** The refusal of a name that `isLookalike`; null for any other. */
export const lookalikeFault = (name: DomainName): Fault | null =>
  isLookalike(name)
    ? invalidInput(
        `"${name}" imitates another name with letters or marks that look alike, which registries refuse.`,
      )
    : null;

/** Why no registry can sell `name`, which is `label` under `tld`; null when no rule is broken. */
export function labelFault(name: DomainName, label: string, tld: TldDetails): Fault | null {
  const lookalike = lookalikeFault(name);
  if (lookalike) return lookalike;
  if (label.includes('.')) {
    return invalidInput(
      `A domain has one label before the TLD: register "${label.split('.').at(-1)}.${tld.name}", not "${name}".`,
    );
  }
  const minimum = valueOr(tld.minLength, 1);
  const maximum = valueOr(tld.maxLength, 63);
  if (label.length >= minimum && label.length <= maximum) return null;
  return invalidInput(
    `A name under .${tld.name} has ${minimum} to ${maximum} characters; "${label}" has ${label.length}.`,
    { facts: { minimum, maximum } },
  );
}
