import type { DomainName } from '../../kernel/domain-name.ts';
import { isLost } from '../../kernel/domain-state.ts';
import { valueOr } from '../../kernel/faults.ts';
import { lazy } from '../../lib/lazy.ts';
import { perReads, type Reads, readsHook } from '../../scope/reads.ts';
import { tenantHook } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

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
  /** Bypasses the cache. */
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
