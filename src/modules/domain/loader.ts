import DataLoader from 'dataloader';
import type { DomainName } from '../../kernel/domain-name.ts';
import { isLost } from '../../kernel/domain-state.ts';
import { notCached, valueOr } from '../../kernel/faults.ts';
import { listPaysFrom } from '../../kernel/upstream-calls.ts';
import { lazy } from '../../lib/lazy.ts';
import { perReads, type Reads, readsHook } from '../../scope/reads.ts';
import { tenantHook } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { type DomainApi, readDetails } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

export type DomainReads = ReturnType<typeof createDomainReads>;

/**
 * Domain reads of one request: one `getdomainlist`, one `getdetails` per name, and the list instead of many `getdetails` where
 * that is cheaper or the list is already requested.
 *
 * A name that the account does not have loads as null.
 */
export function createDomainReads(
  api: DomainApi,
  { list, listedAt }: DomainLists,
  options: CallOptions,
) {
  const read = (name: DomainName, how = options) => readDetails(api, name, how);

  const loader = new DataLoader<DomainName, DomainDetails | null>(
    async (names) => {
      const isListed = list.started() || names.length >= listPaysFrom;
      // Without the list each name can still be read alone.
      const known = isListed ? await list().catch(() => null) : null;
      return Promise.all(
        names.map((name) => {
          const found = known?.find(name);
          if (found || known?.isListComplete) return found ?? null;
          return read(name).catch((error: Error) => error);
        }),
      );
    },
    { name: 'domain' },
  );

  type Reads = Map<DomainName, Promise<DomainDetails | null>>;
  const uncachedReads: Reads = new Map();
  const verifyingReads: Reads = new Map();

  const readUncached = (name: DomainName, reads: Reads, how: CallOptions) => {
    const details = reads.get(name) ?? read(name, { ...how, shared: false });
    reads.set(name, details);
    details.then(
      (loaded) => loader.clear(name).prime(name, loaded),
      () => reads.delete(name),
    );
    return details;
  };
  const uncached = (name: DomainName) => readUncached(name, uncachedReads, options);

  return {
    /** One `getdetails` that bypasses the cache and the list, which may be stale or incomplete. */
    uncached,
    /** The same to verify a write or to settle a purchase: an urgent call. */
    verify: (name: DomainName, how = options) =>
      readUncached(name, verifyingReads, { ...how, urgent: true }),
    load: (name: DomainName) => loader.load(name),
    /** As `load`. Once the list is requested, a name that it leaves out is null unless `mayRead` allows a call. */
    async loadListed(name: DomainName, mayRead: () => boolean): Promise<DomainDetails | null> {
      if (!list.started()) return loader.load(name);
      const known = await list().catch(() => null);
      const found = known?.find(name) ?? null;
      return found || known?.isListComplete || !mayRead() ? found : loader.load(name);
    },
    /** When a row was requested from the upstream: that of a list with its list. */
    asOf: ({ asOf }: DomainDetails): Date | null => asOf ?? listedAt(),
    /** Read by `getdetails` when the row is cached, because the cache never stores auth codes. */
    async authCode({ name, authCode }: DomainDetails): Promise<DomainDetails['authCode']> {
      if (authCode !== notCached) return authCode;
      return (await uncached(name))?.authCode ?? null;
    },
    /** In the order of `names`; null in place of null, and for a domain that the account does not have. */
    loadMany: (names: readonly (DomainName | null)[]) =>
      names.map((name) => (name === null ? null : loader.load(name))),
    invalidate(name: DomainName): void {
      loader.clear(name);
      uncachedReads.delete(name);
      verifyingReads.delete(name);
    },
  };
}

/**
 * Domain reads that a disconnecting client does not cancel: those of a write in progress, and those that settle a purchase. A
 * cancelled read would count as an unreadable upstream.
 */
export const uncancellable = (domains: DomainReads, options: CallOptions) => ({
  ...domains,
  verify: (name: DomainName) => domains.verify(name, options),
});

export const domainReads = perReads(
  'domainReads',
  ({ api, use, options }) => createDomainReads(api, use(domainLists), options()),
  (reads, name) => reads.invalidate(name),
);

/** The domains of the account as one list. */
export interface DomainList {
  /** When it was requested from the upstream. */
  readonly asOf: Date;
  /** Whether the account has no domain that the list leaves out. */
  readonly isListComplete: boolean;
  /** Null for a domain that is not in the list. */
  readonly find: (name: DomainName) => DomainDetails | null;
  /** As `find`, also of a domain that only an earlier read has found. */
  readonly lastRead: (name: DomainName) => DomainDetails | null;
}

type ReadList<List> = ReturnType<typeof lazy<Promise<List>>>;

/** The lists of one request, each read once. */
export interface DomainLists<List extends DomainList = DomainList> {
  readonly list: ReadList<List>;
  readonly refreshed: ReadList<List>;
  /** When the latest list of this request was requested from the upstream; null before. */
  readonly listedAt: () => Date | null;
}

/** Reads each list once, until a write. */
export function createDomainLists<List extends DomainList>(
  read: () => Promise<List>,
  readRefreshed: () => Promise<List>,
): DomainLists<List> {
  let listedAt: Date | null = null;
  const withTime = async (reading: Promise<List>): Promise<List> => {
    const list = await reading;
    listedAt = list.asOf;
    return list;
  };
  const refreshed = lazy(() => withTime(readRefreshed()));
  // Fields that are resolved after a refresh use the refreshed list.
  const list = lazy(() => (refreshed.started() ? refreshed() : withTime(read())));
  return { list, refreshed, listedAt: () => listedAt };
}

/** After a write the lists are read again. */
export const resetLists = ({ list, refreshed }: DomainLists): void => {
  list.reset();
  refreshed.reset();
};

/** By default each request reads the list of the upstream. */
export const domainLists = readsHook<DomainLists>('domainLists', ({ use }) => use(upstreamLists));

const upstreamLists = perReads(
  'upstreamLists',
  (reads) => {
    const { options } = reads;
    return createDomainLists(
      () => readList(reads, options()),
      () => readList(reads, { ...options(), shared: false }),
    );
  },
  resetLists,
);

/** The list of the upstream: for a caller of a customer the domains of this customer. */
async function readList(
  { tenant: { facts }, view }: Pick<Reads, 'tenant' | 'view'>,
  options: CallOptions,
): Promise<DomainList> {
  const asOf = facts.clock.now();
  const [{ domains, totalCount }, visible] = await Promise.all([
    facts.domainApi.getdomainlist({}, options),
    view?.readNames(),
  ]);
  const rows = new Map<DomainName, DomainDetails>();
  for (const row of domains) {
    const other = rows.get(row.name);
    if (!other || isBetter(row, other)) rows.set(row.name, row);
  }
  const find = (name: DomainName) =>
    visible?.has(name) === false ? null : (rows.get(name) ?? null);
  const isListComplete = domains.length >= valueOr(totalCount, Infinity);
  return { asOf, isListComplete, find, lastRead: find };
}

/**
 * Whether a row replaces another one of the same name. A list can have a row of the past, such as a deleted registration, beside
 * that of the domain. The row of a domain that the account has precedes the others, then the row that expires later.
 */
export function isBetter(one: DomainDetails, other: DomainDetails): boolean {
  const ranks = [one, other].map(({ state, expiresAt, registeredAt, upstreamId }) => [
    isLost(state) ? 0 : 1,
    ...[expiresAt, registeredAt].map((date) => valueOr(date, null)?.getTime() ?? -Infinity),
    valueOr(upstreamId, null) ?? 0,
  ]);
  const [ranksOfOne = [], ranksOfOther = []] = ranks;
  const at = ranksOfOne.findIndex((rank, place) => rank !== ranksOfOther[place]);
  return at !== -1 && (ranksOfOne[at] as number) > (ranksOfOther[at] as number);
}

/** Which of these domains are stored as domains of the account. By default none is. */
export const storedDomains = tenantHook<
  (names: readonly DomainName[]) => Promise<readonly DomainName[]>
>('storedDomains', () => async () => []);
