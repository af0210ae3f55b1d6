import type { Clock } from '../../kernel/clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import { onceOf } from '../../kernel/once-of.ts';
import type { Revision } from '../../kernel/revision.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { readDetails } from '../domain/details.ts';
import { buildIndex } from './build-index.ts';
import type { DomainIndex } from './domain-index.ts';
import { keepRow } from './kept-rows.ts';
import { createListReading } from './list-reading.ts';
import { createRefreshes } from './refreshes.ts';
import { createWrites } from './writes.ts';

/** The account's domains as one list that the service handed over. */
export interface Portfolio {
  readonly index: DomainIndex;
  /** When the service was asked for it: nothing in it is older. */
  readonly asOf: Date;
  /** Whether nothing is missing: false when the service counts more than it sent, sent rows that name no domain, or hid its count. */
  readonly complete: boolean;
  /** What the service counts. */
  readonly upstreamCount: Leaf<number>;
}

export type Snapshot = ReturnType<typeof createSnapshot>;

interface SnapshotOptions {
  readonly api: Pick<DomainApi, 'getdomainlist' | 'getdetails'>;
  readonly clock: Clock;
  /** Advanced when the list is another one. */
  readonly revision: Revision;
  /** Younger than this a list serves whoever asks; 0 keeps nothing from one request to the next. */
  readonly maxAgeMs: number;
}

/** An old list serves at once while a new one is asked for, until it is so many times too old. */
const staleFactor = 10;
/** A list of a hundred thousand domains is 50 MB and more. */
const longReplyMs = 120_000;
/** After so many changes the list is cheaper than asking for each of them. */
const mostWrites = 5;

/**
 * The list of domains as one process keeps it, for all requests. It shows what was changed through this process at once,
 * and what others change when it is next asked for.
 */
export function createSnapshot({ api, clock, revision, maxAgeMs }: SnapshotOptions) {
  const writes = createWrites(async (name, options) => {
    const row = await readDetails(api, name, options);
    return row && keepRow(row);
  });
  let held: { readonly portfolio: Portfolio; readonly atMs: number } | null = null;

  /** Of a list that several requests were handed at once, where nothing is kept, one index serves them all. */
  const indexOf = onceOf((domains: readonly DomainDetails[]) => buildIndex(domains, clock));

  const load = async (options: CallOptions): Promise<Portfolio> => {
    const asOf = clock.now();
    const { domains, totalCount } = await api.getdomainlist({}, options);
    const complete = domains.length >= leafOr(totalCount, Infinity);
    return { index: await indexOf(domains), asOf, complete, upstreamCount: totalCount };
  };

  const loadToKeep = async (options: CallOptions): Promise<Portfolio> => {
    const asOf = clock.now();
    const reading = createListReading(held?.portfolio.index ?? null, clock);
    const { domains, totalCount } = await api.getdomainlist(
      {},
      { ...options, rowSink: reading.sink, longReplyMs },
    );
    // A reply that could not be read as it arrived holds its rows.
    const isWhole = domains.length > 0;
    const index = isWhole ? await buildIndex(domains.map(keepRow), clock) : await reading.end();
    const count = isWhole ? domains.length : reading.count();
    const complete = count >= leafOr(totalCount, Infinity);
    return { index, asOf, complete, upstreamCount: totalCount };
  };

  const refreshes = createRefreshes<Portfolio>({
    clock,
    pauseMs: maxAgeMs / 2,
    async load(signal, onCall, cause) {
      const [atMs, seen] = [clock.monotonicMs(), writes.count()];
      const portfolio = await loadToKeep({ ...cause, signal, onCall });
      for (const [name, row] of writes.since(seen)) portfolio.index.patch(name, row);
      held = { portfolio, atMs };
      revision.advance();
      return portfolio;
    },
  });

  async function served(options: CallOptions): Promise<Portfolio> {
    const ageMs = held ? clock.monotonicMs() - held.atMs : Infinity;
    if (!held || ageMs >= maxAgeMs * staleFactor) return refreshes.join(options);
    const stale = ageMs >= maxAgeMs;
    if (stale) refreshes.beginUnheard();
    options.onKept?.({ action: 'getdomainlist', ageMs, leftMs: maxAgeMs - ageMs, stale });
    return held.portfolio;
  }

  /** With what this process has changed since, which the service is asked for by name. */
  async function withWrites(portfolio: Portfolio, options: CallOptions): Promise<Portfolio> {
    const names = writes.unread();
    if (names.length === 0) return portfolio;
    if (names.length > mostWrites) return refreshes.joinNext(options);
    try {
      await writes.read(names, options, (name, row) => {
        held?.portfolio.index.patch(name, row);
        revision.advance();
      });
    } catch {
      options.signal?.throwIfAborted();
      return refreshes.joinNext(options);
    }
    refreshes.beginUnheard();
    return held?.portfolio ?? portfolio;
  }

  return {
    /**
     * The list, as it was kept where that is young enough.
     *
     * @throws Fault of `getdomainlist` when there is none to serve; the reason of the signal when that is aborted first,
     * which stops no one else.
     */
    async read(options: CallOptions): Promise<Portfolio> {
      if (maxAgeMs === 0) return load(options);
      return withWrites(await served(options), options);
    },
    /** A list that is asked for from now on. */
    async readAnew(options: CallOptions): Promise<Portfolio> {
      if (maxAgeMs === 0) return load({ ...options, shared: false });
      return withWrites(await refreshes.joinNext(options), options);
    },
    /** To be called when a write on a domain has ended, however it went. */
    touched(name: DomainName): void {
      writes.touched(name);
      revision.advance();
    },
    close: (): void => refreshes.close(),
  };
}
