import type { DomainName } from '../../kernel/domain-name.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CacheRevision } from '../../lib/lazy.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { PortfolioIndex } from './list-index/portfolio-index.ts';
import { maxWrites, type Portfolio, type PortfolioLoader, withoutSecret } from './portfolio.ts';
import { createRecentWrites } from './recent-writes.ts';
import { createSharedRefresh } from './shared-refresh.ts';

export interface PortfolioCacheOptions {
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

/** The last list, with the writes since. */
export function createCachedPortfolio(
  { load, readRow, renew }: PortfolioLoader,
  { clock, revision, maxAgeMs }: PortfolioCacheOptions,
) {
  const writes = createRecentWrites(readRow);
  let held: { readonly portfolio: Portfolio; readonly atMs: number } | null = null;

  const refreshes = createSharedRefresh<Portfolio>({
    clock,
    pauseMs: maxAgeMs / 2,
    async load(signal, onCall, cause) {
      const [atMs, seen] = [clock.monotonicMs(), writes.count()];
      const reader = PortfolioIndex.read(clock, held?.portfolio.index);
      const portfolio = await load(
        { ...cause, signal, onCall, rowSink: reader, longReplyMs },
        (rows) => reader.end(rows.map(withoutSecret)),
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

  return {
    read: async (options: CallOptions) => withWrites(await served(options), options),
    readNext: async (options: CallOptions) =>
      withWrites(await refreshes.joinNext(options), options),
    invalidate(name: DomainName): void {
      writes.record(name);
      revision.increment();
    },
    async mergeLedger(): Promise<void> {
      const merging = held;
      if (!merging) return;
      const portfolio = await renew(merging.portfolio);
      // A refresh that ended in between has merged the rows itself.
      if (held === merging) held = { ...merging, portfolio };
      revision.increment();
    },
    close: (): void => refreshes.close(),
  };
}
