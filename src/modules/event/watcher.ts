import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { createSlices } from '../../lib/slices.ts';
import type { EventStore, StateChange } from '../../persistence/event-store.ts';
import type { Ledger } from '../portfolio/ledger.ts';
import type { Snapshot } from '../portfolio/snapshot.ts';
import { differencesBetween, stateOf, type WatchedState } from './compare.ts';

interface WatcherOptions {
  readonly store: EventStore;
  readonly ledger: Pick<Ledger, 'names' | 'whenRecorded'>;
  readonly snapshot: Pick<Snapshot, 'refreshInBackground'>;
  readonly account: string;
  readonly clock: Clock;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** Time between two comparisons; 0 disables them. */
  readonly everyMs: number;
  /** Days before the expiry of a domain at which `EXPIRING` is an event. */
  readonly expiryDays: readonly number[];
  /** Events are deleted at this age. */
  readonly retentionMs: number;
  readonly onError: (error: unknown) => void;
}

const pageSize = 1_000;
const changesPerWrite = 200;
/** The difference between the clocks of two gateways. */
const toleranceMs = 60 * 60_000;
/** A lease is valid for this many intervals, so that a slow comparison does not lose it. */
const leaseIntervals = 3;
/** Longer than a comparison: the list of a large account takes minutes. */
const shortestLeaseMs = 10 * 60_000;

/**
 * Compares the domains of an account with their last known state, at an interval, and stores each difference as an event. One
 * replica does it at a time: the lease is checked in each statement that writes.
 */
export function createWatcher(options: WatcherOptions) {
  const { store, ledger, snapshot, account, clock, randomness, everyMs, onError } = options;
  const stop = new AbortController();
  const owner = randomness.uuid();
  /** The last known states, while this process has the lease. */
  let known: Map<DomainName, WatchedState> | null = null;
  let isOwner = false;

  const leaseMs = Math.max(shortestLeaseMs, leaseIntervals * everyMs);

  const lease = async (ms: number): Promise<boolean> => {
    const now = clock.now();
    const later = (laterMs: number) => new Date(now.getTime() + laterMs);
    const latest = later(leaseMs + toleranceMs);
    return store.lease(account, { owner, now, until: later(ms), latest });
  };

  const holdsLease = async (): Promise<boolean> => {
    isOwner = await lease(leaseMs);
    if (!isOwner) known = null;
    return isOwner;
  };

  const readKnown = async (): Promise<Map<DomainName, WatchedState>> => {
    const states = new Map<DomainName, WatchedState>();
    for (let after: string | null = null; ; ) {
      const page = await store.watched(account, after, pageSize);
      for (const { subject, seen } of page) {
        if (seen !== null) states.set(subject as DomainName, JSON.parse(seen));
      }
      after = page.at(-1)?.subject ?? null;
      if (page.length < pageSize) return states;
      await clock.wait(0);
    }
  };

  /** The states that differ from the known ones. */
  const findChanges = async (
    states: ReadonlyMap<DomainName, WatchedState>,
  ): Promise<readonly StateChange[]> => {
    const { index } = await snapshot.refreshInBackground({ signal: stop.signal });
    await ledger.whenRecorded();
    const now = clock.now();
    const changes: StateChange[] = [];
    const slices = createSlices(clock);
    const names = new Set(index.names());
    let inLedger: ReadonlySet<DomainName> | null = null;
    const isInLedger = async (domain: DomainName) => {
      inLedger ??= await ledger.names();
      return inLedger.has(domain);
    };
    for (const domain of names) {
      const row = index.find(domain);
      const before = states.get(domain) ?? null;
      // A domain that the ledger could not store would be removed as soon as a list leaves it out.
      if (row && (before || (await isInLedger(domain)))) {
        add(changes, domain, before, stateOf(row, before, { now, ...options }), now);
      }
      if (slices.isOver()) await slices.next();
    }
    for (const [domain, before] of states) {
      // A domain that the list leaves out is read in the background; the ledger removes it when it is gone.
      if (!names.has(domain) && !(await isInLedger(domain)))
        add(changes, domain, before, null, now);
      if (slices.isOver()) await slices.next();
    }
    return changes;
  };

  const add = (
    changes: StateChange[],
    domain: DomainName,
    state: WatchedState | null,
    newState: WatchedState | null,
    at: Date,
  ): void => {
    const [before, seen] = [state && JSON.stringify(state), newState && JSON.stringify(newState)];
    if (seen === before) return;
    const events = differencesBetween(state, newState).map((difference) => ({
      ...{ ...difference, id: randomness.uuid(), at, subject: domain, domain },
      ...{ purchaseId: null, source: 'UPSTREAM' as const, caller: null },
    }));
    changes.push({ subject: domain, before, seen, events });
  };

  const publish = async (): Promise<void> => {
    while (await store.publish(account, owner)) await clock.wait(0);
  };

  /** Stores the changes in parts, so that other requests run in between. */
  const save = async (
    changes: readonly StateChange[],
    states: Map<DomainName, WatchedState>,
  ): Promise<boolean> => {
    for (let from = 0; from < changes.length; from += changesPerWrite) {
      const some = changes.slice(from, from + changesPerWrite);
      if (!(await store.change(account, owner, some))) return false;
      for (const { subject, seen } of some) {
        if (seen === null) states.delete(subject as DomainName);
        else states.set(subject as DomainName, JSON.parse(seen));
      }
      await clock.wait(0);
    }
    return true;
  };

  const compare = async (): Promise<void> => {
    if (!(await holdsLease())) return;
    // Events of a process that ended before it had published them.
    await publish();
    known ??= await readKnown();
    const hasBaseline = await store.hasBaseline(account);
    const found = await findChanges(known);
    const changes = hasBaseline ? found : found.map((change) => ({ ...change, events: [] }));
    if (!(await save(changes, known))) {
      known = null;
      return;
    }
    if (!hasBaseline) await store.setBaseline(account, owner);
    await publish();
    await store.deleteBefore(account, new Date(clock.now().getTime() - options.retentionMs));
  };

  const run = async (): Promise<never> => {
    for (;;) {
      try {
        await compare();
      } catch (error) {
        stop.signal.throwIfAborted();
        // A write may have been made in part.
        known = null;
        // The journal or the upstream may become available again.
        if (!(error instanceof Fault)) onError(error);
      }
      await clock.wait(everyMs, stop.signal);
    }
  };

  const running = everyMs > 0 ? run().catch(() => undefined) : Promise.resolve();
  return {
    async close(): Promise<void> {
      stop.abort();
      await running;
      // Another replica, or the next start, continues at once.
      if (isOwner) await lease(0).catch(() => undefined);
    },
  };
}
