import DataLoader from 'dataloader';
import type { DomainName } from '../../kernel/domain-name.ts';
import { notCached } from '../../kernel/faults.ts';
import { listPaysFrom } from '../../kernel/upstream-calls.ts';
import { perReads } from '../../scope/reads.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { type DomainApi, readDetails } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { type DomainLists, domainLists } from './lists.ts';

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
    /** Invalidates the reads of the domain after a write. */
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
