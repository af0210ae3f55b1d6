import type { DomainName } from '../../kernel/domain-name.ts';
import { type FieldResult, notCached, valueOr } from '../../kernel/field-result.ts';
import type { CacheRevision } from '../../lib/cache-revision.ts';
import type { Clock } from '../../lib/clock.ts';
import { memoize } from '../../lib/lazy.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { readDetails } from '../domain/loader.ts';
import { PortfolioIndex } from './index/portfolio-index.ts';
import { createRecentWrites } from './recent-writes.ts';
import { createSharedRefresh } from './shared-refresh.ts';

/** The domains of the account, from one response of the upstream. */
export interface Portfolio {
  readonly index: PortfolioIndex;
  /** When it was requested: no row is older. */
  readonly asOf: Date;
  /** Whether nothing is missing: false when the upstream counts more than it sent, sent rows without a domain name, or sent no count. */
  readonly complete: boolean;
  /** The number of domains that the upstream counts. */
  readonly upstreamCount: FieldResult<number>;
  /** Null for a domain that is not in the list. */
  find(name: DomainName): DomainDetails | null;
}

/** The cache never stores auth codes. */
const withoutSecret = (row: DomainDetails): DomainDetails => ({ ...row, authCode: notCached });

export type Snapshot = ReturnType<typeof createSnapshot>;

interface SnapshotOptions {
  readonly api: Pick<DomainApi, 'getdomainlist' | 'getdetails'>;
  readonly clock: Clock;
  /** Incremented when the list changes. */
  readonly revision: CacheRevision;
  /** A list is fresh for this long; 0 disables the cache. */
  readonly maxAgeMs: number;
}

/** A stale list is returned while it is refreshed, up to this multiple of its maximum age. */
const staleFactor = 10;
/** A list of 100,000 domains has 50 MB and more. */
const longReplyMs = 120_000;
/** Above this number of written domains, reading the list is cheaper than reading each domain. */
const maxWrites = 5;

/**
 * The cached list of domains of one process. It shows writes of this process at once, and writes of other replicas once they
 * are notified over the shared state. All other changes appear after the next refresh.
 */
export function createSnapshot({ api, clock, revision, maxAgeMs }: SnapshotOptions) {
  const writes = createRecentWrites(async (name, options) => {
    const row = await readDetails(api, name, options);
    return row && withoutSecret(row);
  });
  let held: { readonly portfolio: Portfolio; readonly atMs: number } | null = null;

  async function load(
    options: CallOptions,
    indexOf: (rows: readonly DomainDetails[]) => Promise<PortfolioIndex>,
  ): Promise<Portfolio> {
    const asOf = clock.now();
    const { domains, totalCount } = await api.getdomainlist({}, options);
    const index = await indexOf(domains);
    return {
      index,
      asOf,
      complete: index.rowCount >= valueOr(totalCount, Infinity),
      upstreamCount: totalCount,
      find: (name) => index.find(name),
    };
  }

  /** Without caching, the requests that share one response also share its index. */
  const sharedIndexOf = memoize((rows: readonly DomainDetails[]) =>
    PortfolioIndex.read(clock).end(rows),
  );

  const refreshes = createSharedRefresh<Portfolio>({
    clock,
    pauseMs: maxAgeMs / 2,
    async load(signal, onCall, cause) {
      const [atMs, seen] = [clock.monotonicMs(), writes.count()];
      const reader = PortfolioIndex.read(clock, held?.portfolio.index);
      const stored = { ...cause, signal, onCall, rowSink: reader, longReplyMs };
      const portfolio = await load(stored, (rows) => reader.end(rows.map(withoutSecret)));
      for (const [name, row] of writes.since(seen)) portfolio.index.change(name, row);
      held = { portfolio, atMs };
      revision.increment();
      return portfolio;
    },
  });

  async function served(options: CallOptions): Promise<Portfolio> {
    const ageMs = held ? clock.monotonicMs() - held.atMs : Infinity;
    if (!held || ageMs >= maxAgeMs * staleFactor) return refreshes.join(options);
    const stale = ageMs >= maxAgeMs;
    if (stale) refreshes.startInBackground();
    options.onCachedRead?.({ action: 'getdomainlist', ageMs, leftMs: maxAgeMs - ageMs, stale });
    return held.portfolio;
  }

  /** Adds the writes that `invalidate` reported, each read from the upstream by its name. */
  async function withWrites(portfolio: Portfolio, options: CallOptions): Promise<Portfolio> {
    const names = writes.unread();
    if (names.length === 0) return portfolio;
    if (names.length > maxWrites) return refreshes.joinNext(options);
    try {
      await writes.read(names, options, (name, row) => {
        held?.portfolio.index.change(name, row);
        revision.increment();
      });
    } catch {
      options.signal?.throwIfAborted();
      return refreshes.joinNext(options);
    }
    refreshes.startInBackground();
    return held?.portfolio ?? portfolio;
  }

  return {
    /**
     * The cached list, or a new one when that is too old.
     *
     * @throws Fault of `getdomainlist` when there is no list to return; the reason of the signal when that is aborted first.
     */
    async read(options: CallOptions): Promise<Portfolio> {
      if (maxAgeMs === 0) return load(options, sharedIndexOf);
      return withWrites(await served(options), options);
    },
    /** A list that is requested from now on; bypasses the cache. */
    async readRefreshed(options: CallOptions): Promise<Portfolio> {
      if (maxAgeMs === 0) return load({ ...options, shared: false }, sharedIndexOf);
      return withWrites(await refreshes.joinNext(options), options);
    },
    /** Must be called when a write on a domain has ended, here or on another replica, with success or not. */
    invalidate(name: DomainName): void {
      writes.record(name);
      revision.increment();
    },
    close: (): void => refreshes.close(),
  };
}
