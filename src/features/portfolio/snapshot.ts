import type { DomainName } from '../../kernel/domain-name.ts';
import { memoize } from '../../lib/lazy.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { createCachedPortfolio, type PortfolioCacheOptions } from './cached-portfolio.ts';
import { PortfolioIndex } from './list-index/portfolio-index.ts';
import { createPortfolioLoader, type Portfolio, type PortfolioSources } from './portfolio.ts';

export type Snapshot = ReturnType<typeof createSnapshot>;

/**
 * The cached list of domains of one process. It shows writes of this process at once, and writes of other replicas once they
 * send notices. All other changes appear after the next refresh.
 */
export function createSnapshot(options: PortfolioSources & PortfolioCacheOptions) {
  const { clock, maxAgeMs, ledger } = options;
  const loader = createPortfolioLoader(options);
  const cached = createCachedPortfolio(loader, options);
  let readAtMs = -Infinity;

  /** Without caching, the requests that share one response also share its index. */
  const sharedIndexOf = memoize((rows: readonly DomainDetails[]) =>
    PortfolioIndex.read(clock).end(rows),
  );
  const readUncached = (call: CallOptions) => loader.load(call, sharedIndexOf);
  const readCached = maxAgeMs > 0 ? cached.read : readUncached;
  const readNext =
    maxAgeMs > 0
      ? cached.readNext
      : (call: CallOptions) => readUncached({ ...call, shared: false });

  const forRequest = (read: (call: CallOptions) => Promise<Portfolio>) => (call: CallOptions) => {
    readAtMs = clock.monotonicMs();
    return read(call);
  };

  return {
    /**
     * The cached list, or a new one when that is too old.
     *
     * @throws Fault of `getdomainlist` when there is no list to return; the reason of the signal when that is aborted first.
     */
    read: forRequest(readCached),
    /** The same for no request. */
    readInBackground: readCached,
    /** A list that is requested from now on; bypasses the cache. */
    readRefreshed: forRequest(readNext),
    /** The same for no request. */
    refreshInBackground: readNext,
    /** Must be called when a write on a domain has ended, here or on another replica, with success or not. */
    invalidate(name: DomainName): void {
      cached.invalidate(name);
      ledger.recordWrite(name);
    },
    /** Must be called when rows of the ledger have changed. */
    mergeLedger: cached.mergeLedger,
    /** Milliseconds since a request read the list; Infinity before the first one. */
    idleMs: (): number => clock.monotonicMs() - readAtMs,
    close: cached.close,
  };
}
