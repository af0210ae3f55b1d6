import { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import { lazy } from '../../lib/lazy.ts';
import { leaseRequest } from '../../lib/lease-request.ts';
import { createPause } from '../../lib/pause.ts';
import type { StateChange } from '../../persistence/event-store.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { Snapshot } from '../portfolio/snapshot.ts';
import { createBalanceComparison } from './balances.ts';
import type { Comparison, Round } from './comparison.ts';
import { createDomainComparison, type DomainComparisonOptions } from './domains.ts';
import { createPriceComparison } from './prices.ts';
import { createRenewalComparison } from './renewals.ts';
import { reportSettled } from './settled-purchases.ts';

interface WatcherOptions extends Omit<DomainComparisonOptions, 'owner'> {
  readonly api: DomainApi;
  readonly snapshot: Pick<Snapshot, 'refreshInBackground'>;
  /** Time between two rounds; 0 disables them. */
  readonly everyMs: number;
  /** Balances below these amounts are events; one for each currency. */
  readonly balanceLow: readonly Money[];
  /** Days in which the balance must cover the renewals; 0 disables the check. */
  readonly renewalsDays: number;
  /** Events are deleted at this age. */
  readonly retentionMs: number;
  readonly onError: (error: unknown) => void;
}

export type Watcher = ReturnType<typeof createWatcher>;

const pageSize = 1_000;
const changesPerWrite = 200;
/** A lease is valid for this many intervals, so that a slow round does not lose it. */
const leaseIntervals = 3;
/** Longer than a round: the list of a large account takes minutes. */
const shortestLeaseMs = 10 * 60_000;

/**
 * Compares an account with its last known states, at an interval, and stores each difference as an event. One replica does it
 * at a time: the lease is checked in each statement that writes.
 */
export function createWatcher(options: WatcherOptions) {
  const { journal, api, snapshot, account, clock, randomness, everyMs, onError } = options;
  const { events: store } = journal;
  const stop = new AbortController();
  const pause = createPause(clock, stop.signal);
  const owner = randomness.uuid();
  /** In this order, because renewals are compared with the stored prices. */
  const comparisons: readonly Comparison[] = [
    createDomainComparison({ ...options, owner }),
    createBalanceComparison({ thresholds: options.balanceLow, randomness }),
    createPriceComparison({ api, clock, randomness }),
    createRenewalComparison({ days: options.renewalsDays, randomness }),
  ];
  /** The last known states by subject, while this process has the lease. */
  let known: Map<string, string> | null = null;
  let isOwner = false;
  let isSettled = false;

  const leaseMs = Math.max(shortestLeaseMs, leaseIntervals * everyMs);

  const lease = (ms: number): Promise<boolean> =>
    store.lease(account, leaseRequest({ owner, clock, ms, longestMs: leaseMs }));

  const holdsLease = async (): Promise<boolean> => {
    isOwner = await lease(leaseMs);
    if (!isOwner) known = null;
    return isOwner;
  };

  const readKnown = async (): Promise<Map<string, string>> => {
    const states = new Map<string, string>();
    for (let after: string | null = null; ; ) {
      const page = await store.watched(account, after, pageSize);
      for (const { subject, seen } of page) states.set(subject, seen);
      after = page.at(-1)?.subject ?? null;
      if (page.length < pageSize) return states;
      await clock.wait(0);
    }
  };

  const report = (error: unknown): void => {
    stop.signal.throwIfAborted();
    // The journal or the upstream may become available again.
    if (!(error instanceof Fault)) onError(error);
  };

  const publish = async (): Promise<void> => {
    while (await store.publish(account, owner)) await clock.wait(0);
  };

  /** Stores the changes in parts, so that other requests run in between. */
  const save = async (
    changes: readonly StateChange[],
    states: Map<string, string>,
  ): Promise<boolean> => {
    for (let from = 0; from < changes.length; from += changesPerWrite) {
      const some = changes.slice(from, from + changesPerWrite);
      if (!(await store.change(account, owner, some))) return false;
      for (const { subject, seen } of some) states.set(subject, seen);
      await clock.wait(0);
    }
    return true;
  };

  /** Null when something cannot be read, which does not prevent the other comparisons. */
  const find = (comparison: Comparison, round: Round): Promise<readonly StateChange[] | null> =>
    comparison.find(round).catch((error: unknown) => {
      report(error);
      return null;
    });

  const compareAll = async (states: Map<string, string>): Promise<void> => {
    const { signal } = stop;
    const round: Round = {
      ...{ signal, states, now: () => clock.now() },
      portfolio: lazy(() => snapshot.refreshInBackground({ signal })),
      balances: lazy(() => api.resellerdetails({}, { signal })),
    };
    for (const comparison of comparisons) {
      const changes = await find(comparison, round);
      if (!changes) continue;
      if (!(await save(changes, states))) {
        known = null;
        return;
      }
      await comparison.stored?.();
    }
  };

  const runRound = async (): Promise<void> => {
    if (!(await holdsLease())) return;
    // Events of a process that ended before it had published them.
    await publish();
    await reportSettled({ store, account, owner, clock });
    known ??= await readKnown();
    await compareAll(known);
    await publish();
    await store.deleteBefore(account, new Date(clock.now().getTime() - options.retentionMs));
  };

  /** Without an upstream call. */
  const runSettled = async (): Promise<void> => {
    if (await holdsLease()) await reportSettled({ store, account, owner, clock });
  };

  const run = async (): Promise<never> => {
    for (let dueMs = -Infinity; ; ) {
      pause.begin();
      const isDue = !isSettled || clock.monotonicMs() >= dueMs;
      isSettled = false;
      try {
        await (isDue ? runRound() : runSettled());
      } catch (error) {
        // A write may have been made in part.
        known = null;
        report(error);
      }
      if (isDue) dueMs = clock.monotonicMs() + everyMs;
      await pause.wait(dueMs - clock.monotonicMs());
    }
  };

  const running = everyMs > 0 ? run().catch(() => undefined) : Promise.resolve();
  return {
    /** Must be called when a purchase has settled, here or on another replica: its event is stored at once. */
    purchaseSettled(): void {
      if (!isOwner) return;
      isSettled = true;
      pause.wake();
    },
    async close(): Promise<void> {
      stop.abort();
      await running;
      // Another replica, or the next start, continues at once.
      if (isOwner) await lease(0).catch(() => undefined);
    },
  };
}
