import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { type CacheRevision, memoize } from '../../lib/lazy.ts';
import { type SharedCall, startSharedCall } from '../../lib/single-flight.ts';
import { raceAbort } from '../../lib/waits.ts';
import type { CallOptions, RequestContext, UpstreamCall } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { PortfolioIndex } from './list-index/portfolio-index.ts';
import {
  createPortfolioLoader,
  maxWrites,
  type Portfolio,
  type PortfolioLoader,
  type PortfolioSources,
  withoutSecret,
} from './portfolio.ts';

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
    /** For background work: does not count as use by a client. */
    readInBackground: readCached,
    /** A list that is requested from now on; bypasses the cache. */
    readRefreshed: forRequest(readNext),
    /** For background work: does not count as use by a client. */
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

interface PortfolioCacheOptions {
  readonly clock: Clock;
  readonly revision: CacheRevision;
  /** A list is fresh for this long; 0 disables the cache. */
  readonly maxAgeMs: number;
}

/** A stale list is returned while it is refreshed, up to this multiple of its maximum age. */
const staleFactor = 10;
/** A list of 100,000 domains has 50 MB and more. */
const longReplyMs = 120_000;

/** The last list, with the writes since. */
function createCachedPortfolio(
  { load, readRow, renew }: PortfolioLoader,
  { clock, revision, maxAgeMs }: PortfolioCacheOptions,
) {
  const writes = createRecentWrites(readRow);
  let held: { readonly portfolio: Portfolio; readonly atMs: number } | null = null;

  const refreshes = createSharedRefresh({ clock, pauseMs: maxAgeMs / 2 }, async (options) => {
    const [atMs, seen] = [clock.monotonicMs(), writes.count()];
    const reader = PortfolioIndex.read(clock, held?.portfolio.index);
    const portfolio = await load({ ...options, rowSink: reader, longReplyMs }, (rows) =>
      reader.end(rows.map(withoutSecret)),
    );
    for (const [name, row] of writes.since(seen)) portfolio.index.change(name, row);
    held = { portfolio, atMs };
    revision.increment();
    return portfolio;
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

type ReadDetails = DomainDetails | null;

interface RecentWrite {
  /** The number of the change. */
  readonly at: number;
  /** The read after the change, which concurrent requesters share. */
  read?: Promise<ReadDetails>;
  /** The row, once it was read. */
  row?: ReadDetails;
}

/** The domains that this process or another replica has written, for a list that was requested before the write. */
function createRecentWrites(readRow: PortfolioLoader['readRow']) {
  let count = 0;
  /** The last change of each domain. */
  const changes = new Map<DomainName, RecentWrite>();

  return {
    count: () => count,
    record(name: DomainName): void {
      count += 1;
      changes.set(name, { at: count });
    },
    unread: (): readonly DomainName[] =>
      [...changes].filter(([, change]) => change.row === undefined).map(([name]) => name),
    /** Reads each name; `take` receives the rows of names that were not changed again during the read. */
    async read(
      names: readonly DomainName[],
      { signal, onCall, requestId, trace, budget }: CallOptions,
      take: (name: DomainName, row: ReadDetails) => void,
    ): Promise<void> {
      // Without the signal: other requesters may wait for the same read.
      const readOptions = { requestId, trace, budget, ...(onCall && { onCall }) };
      const reads = names.map(async (name) => {
        const change = changes.get(name);
        if (!change) return;
        change.read ??= readRow(name, readOptions).finally(() => {
          delete change.read;
        });
        const row = await change.read;
        if (changes.get(name) !== change || change.row !== undefined) return;
        change.row = row;
        take(name, row);
      });
      await raceAbort(Promise.all(reads), signal);
    },
    /** The changes that a list lacks when it was requested after `seen` changes; the earlier ones are discarded. */
    since(seen: number): readonly (readonly [DomainName, ReadDetails])[] {
      for (const [name, { at }] of changes) if (at <= seen) changes.delete(name);
      return [...changes].flatMap(([name, { row }]) =>
        row === undefined ? [] : [[name, row] as const],
      );
    },
  };
}

type RefreshRequester = Pick<CallOptions, 'signal' | 'onCall' | keyof RequestContext>;

const ignore = () => undefined;

const isClosing = new Fault('UPSTREAM_UNAVAILABLE', {
  message: 'The gateway is closing.',
  executed: 'NO',
});

type Refresh = SharedCall<Portfolio, UpstreamCall>;

/**
 * One refresh at a time, shared by its requesters. A requester that leaves does not stop it. After a failure no background
 * refresh starts for `pauseMs`. `options` has the context of the first requester, which is empty for a background refresh.
 */
function createSharedRefresh(
  { clock, pauseMs }: { readonly clock: Clock; readonly pauseMs: number },
  load: (options: CallOptions) => Promise<Portfolio>,
) {
  const closing = new AbortController();
  let running: Refresh | null = null;
  /** Starts when the running refresh has ended. */
  let next: Refresh | null = null;
  let pausedUntilMs = -Infinity;

  function start({ requestId, trace, budget }: RequestContext, previous?: Refresh): Refresh {
    const refresh: Refresh = startSharedCall(async (_signal, emit) => {
      if (previous) {
        await previous.join({}).catch(ignore);
        running = next;
        next = null;
      }
      try {
        return await load({ requestId, trace, budget, signal: closing.signal, onCall: emit });
      } catch (error) {
        pausedUntilMs = clock.monotonicMs() + pauseMs;
        throw error;
      } finally {
        running = null;
      }
    });
    // The gateway itself is a requester too, so that the refresh continues when all others have left.
    refresh.join({}).catch(ignore);
    return refresh;
  }

  /** A refresh that its first requester cannot pay for would fail for all that join it. */
  function startFor(requester: RefreshRequester): Refresh {
    requester.budget?.assertLeft();
    running = start(requester);
    return running;
  }

  const join = (refresh: Refresh, { signal, onCall }: RefreshRequester) =>
    refresh.join({
      signal,
      onEvent: onCall && ((call, isFirst) => onCall(isFirst ? call : { ...call, shared: true })),
    });

  return {
    join: async (requester: RefreshRequester): Promise<Portfolio> =>
      join(running ?? next ?? startFor(requester), requester),
    /** Joins a refresh that starts from now on: the running one may return an earlier state. */
    async joinNext(requester: RefreshRequester): Promise<Portfolio> {
      if (running) next ??= start(requester, running);
      return join(next ?? startFor(requester), requester);
    },
    /** Starts a refresh unless one is running, or a failure is too recent. */
    startInBackground(): void {
      if (!running && !next && clock.monotonicMs() >= pausedUntilMs) running = start({});
    },
    close: (): void => closing.abort(isClosing),
  };
}
