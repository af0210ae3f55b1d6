import type { DomainName } from '../../kernel/domain-name.ts';
import { type FieldResult, notCached, valueOr } from '../../kernel/field-result.ts';
import type { CacheRevision } from '../../lib/cache-revision.ts';
import type { Clock } from '../../lib/clock.ts';
import { memoize } from '../../lib/lazy.ts';
import type { KnownDomain } from '../../persistence/ledger-store.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { readDetails } from '../domain/loader.ts';
import { PortfolioIndex } from './index/portfolio-index.ts';
import type { Ledger } from './ledger.ts';
import { createMerge } from './merge.ts';
import { createRecentWrites } from './recent-writes.ts';
import { createSharedRefresh } from './shared-refresh.ts';

/** The domains of the account: the list of the upstream, and the known domains that it leaves out. */
export interface Portfolio {
  readonly index: PortfolioIndex;
  /** When the list was requested. */
  readonly asOf: Date;
  /** When the oldest row was requested. */
  readonly oldestRowAt: Date;
  /** Whether nothing is missing: false when the upstream counts more domains than there are rows, or sent no count, or a known domain has no row. */
  readonly complete: boolean;
  /** The same of the list alone. */
  readonly isListComplete: boolean;
  /** The number of domains that the upstream counts. */
  readonly upstreamCount: FieldResult<number>;
  /** The number of domains that the gateway knows, with those that have no row. */
  readonly knownCount: number;
  /** The row of the list; null for a domain that the list leaves out. */
  find(name: DomainName): DomainDetails | null;
  /** When the row of the domain was requested; null for a domain without a row. */
  rowAsOf(name: DomainName): Date | null;
}

/** The cache never stores auth codes. */
const withoutSecret = (row: DomainDetails): DomainDetails => ({ ...row, authCode: notCached });

interface ListedDomains {
  readonly index: PortfolioIndex;
  /** The names of the list. The index has others too once rows of the ledger are merged into it. */
  readonly names: readonly DomainName[];
}

const listed = (index: PortfolioIndex): ListedDomains => ({ index, names: index.names() });

export type Snapshot = ReturnType<typeof createSnapshot>;

interface SnapshotOptions {
  readonly api: Pick<DomainApi, 'getdomainlist' | 'getdetails'>;
  readonly clock: Clock;
  /** Incremented when the list changes. */
  readonly revision: CacheRevision;
  /** A list is fresh for this long; 0 disables the cache. */
  readonly maxAgeMs: number;
  readonly ledger: Pick<Ledger, 'record' | 'known' | 'save' | 'recordWrite'>;
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
export function createSnapshot({ api, clock, revision, maxAgeMs, ledger }: SnapshotOptions) {
  const readRow = async (name: DomainName, options: CallOptions): Promise<DomainDetails | null> => {
    const at = clock.now();
    const row = await readDetails(api, name, options);
    if (row) await ledger.save(name, row, at);
    return row && withoutSecret(row);
  };
  const writes = createRecentWrites(readRow);
  const merge = createMerge(clock);
  let held: { readonly portfolio: Portfolio; readonly atMs: number } | null = null;
  let readAtMs = -Infinity;

  async function load(
    options: CallOptions,
    readList: (rows: readonly DomainDetails[]) => Promise<ListedDomains>,
  ): Promise<Portfolio> {
    const asOf = clock.now();
    const { domains, totalCount } = await api.getdomainlist({}, options);
    const { index, names } = await readList(domains);
    return withKnown({ index, asOf, upstreamCount: totalCount }, await leftOut(names, options));
  }

  /** The known domains that a list leaves out. Those with a write that their row does not show are read first, up to a number. */
  async function leftOut(
    names: readonly DomainName[],
    options: CallOptions,
  ): Promise<readonly KnownDomain[]> {
    const known = await ledger.record(names);
    const written = known
      .filter(({ unlisted }) => unlisted?.changedAt && !unlisted.missingAt)
      .slice(0, maxWrites);
    if (written.length === 0) return known;
    await Promise.allSettled(written.map(({ name }) => readRow(name, options)));
    return ledger.record(names);
  }

  async function withKnown(
    { index, asOf, upstreamCount }: Pick<Portfolio, 'index' | 'asOf' | 'upstreamCount'>,
    known: readonly KnownDomain[],
  ): Promise<Portfolio> {
    const { rowTimes, knownBefore, unread } = await merge(index, known, asOf);
    const counted = valueOr(upstreamCount, Infinity);
    let oldestRowAt = asOf;
    for (const at of rowTimes.values()) if (at < oldestRowAt) oldestRowAt = at;
    return {
      ...{ index, asOf, oldestRowAt, upstreamCount },
      complete: unread === 0 && index.rowCount + knownBefore >= counted,
      isListComplete: index.rowCount >= counted,
      knownCount: index.size + unread,
      find: (name) => (rowTimes.has(name) ? null : index.find(name)),
      rowAsOf: (name) => rowTimes.get(name) ?? (index.find(name) && asOf),
    };
  }

  /** Without caching, the requests that share one response also share its index. */
  const readSharedList = memoize(async (rows: readonly DomainDetails[]) =>
    listed(await PortfolioIndex.read(clock).end(rows)),
  );

  const refreshes = createSharedRefresh<Portfolio>({
    clock,
    pauseMs: maxAgeMs / 2,
    async load(signal, onCall, cause) {
      const [atMs, seen] = [clock.monotonicMs(), writes.count()];
      const reader = PortfolioIndex.read(clock, held?.portfolio.index);
      const stored = { ...cause, signal, onCall, rowSink: reader, longReplyMs };
      const portfolio = await load(stored, async (rows) =>
        listed(await reader.end(rows.map(withoutSecret))),
      );
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

  async function readCached(options: CallOptions): Promise<Portfolio> {
    if (maxAgeMs === 0) return load(options, readSharedList);
    return withWrites(await served(options), options);
  }

  async function readNext(options: CallOptions): Promise<Portfolio> {
    if (maxAgeMs === 0) return load({ ...options, shared: false }, readSharedList);
    return withWrites(await refreshes.joinNext(options), options);
  }

  return {
    /**
     * The cached list, or a new one when that is too old.
     *
     * @throws Fault of `getdomainlist` when there is no list to return; the reason of the signal when that is aborted first.
     */
    async read(options: CallOptions): Promise<Portfolio> {
      readAtMs = clock.monotonicMs();
      return readCached(options);
    },
    /** The same for no request. */
    readInBackground: readCached,
    /** A list that is requested from now on; bypasses the cache. */
    async readRefreshed(options: CallOptions): Promise<Portfolio> {
      readAtMs = clock.monotonicMs();
      return readNext(options);
    },
    /** The same for no request. */
    refreshInBackground: readNext,
    /** Must be called when a write on a domain has ended, here or on another replica, with success or not. */
    invalidate(name: DomainName): void {
      writes.record(name);
      ledger.recordWrite(name);
      revision.increment();
    },
    /** Must be called when rows of the ledger have changed. */
    async mergeLedger(): Promise<void> {
      const merging = held;
      if (!merging) return;
      const portfolio = await withKnown(merging.portfolio, await ledger.known());
      // A refresh that ended in between has merged the rows itself.
      if (held === merging) held = { ...merging, portfolio };
      revision.increment();
    },
    /** Milliseconds since a request read the list; Infinity before the first one. */
    idleMs: (): number => clock.monotonicMs() - readAtMs,
    close: (): void => refreshes.close(),
  };
}
