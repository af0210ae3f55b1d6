import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import { lazy } from '../../lib/lazy.ts';
import { createSlices, parts } from '../../lib/slices.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { Ledger } from '../portfolio/ledger.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { differencesBetween, stateOf, type WatchedState } from './compare.ts';
import { type Comparison, changeOf } from './comparison.ts';
import { type Cause, causeOfAddition, createExplanations } from './explanation.ts';
import type { EventStore, StateChange } from './store.ts';
import type { DomainWriteStore } from './write-store.ts';

export interface DomainComparisonOptions
  extends Pick<TenantFacts, 'journal' | 'account' | 'clock' | 'randomness' | 'quietWindowMs'> {
  readonly store: EventStore;
  readonly writes: DomainWriteStore;
  readonly ledger: Pick<Ledger, 'names'>;
  readonly owner: string;
  /** Days before the expiry of a domain at which `EXPIRING` is an event. */
  readonly expiryDays: readonly number[];
}

/** The stored state of a domain that was removed. */
interface Removed {
  readonly removedAt: string;
}

/** The keys of other subjects have a colon. */
export const isDomain = (subject: string): subject is DomainName => !subject.includes(':');

const namesPerRead = 200;
/** A write of a domain that cannot be read explains changes for this long. */
const unreadMs = dayMs;

/** Finds the changes of domains. Those that the first comparison finds have no events. */
export function createDomainComparison(options: DomainComparisonOptions): Comparison {
  const { store, writes, account, owner, clock, randomness, quietWindowMs } = options;
  let hasBaseline = false;
  let spentWrites: readonly string[] = [];

  return {
    async find({ states, portfolio }) {
      hasBaseline = await store.hasBaseline(account);
      const { index, rowAsOf, isRecorded } = await portfolio();
      // The next comparison could have an older row of a domain that this list shows and a later one leaves out.
      if (!isRecorded) throw new Fault('JOURNAL_UNAVAILABLE');
      const now = clock.now();
      const explanations = createExplanations(await writes.list(account));
      const changes: StateChange[] = [];
      await compareAll({ ...options, states, index, rowAsOf, now }, (domain, before, after) => {
        const stored = after ?? ({ removedAt: now.toISOString() } satisfies Removed);
        const events = () =>
          differencesBetween(before, after).map((difference) => ({
            ...difference,
            id: randomness.uuid(),
            at: now,
            subject: domain,
            domain,
            ...explanations.causeOf(domain, difference),
          }));
        changes.push(...changeOf(domain, states.get(domain), stored, events));
      });
      spentWrites = explanations.spent(({ domain, at }) => {
        const readMs = rowAsOf(domain)?.getTime() ?? now.getTime() - unreadMs;
        return at.getTime() + quietWindowMs < readMs;
      });
      return hasBaseline
        ? explainAdditions(options, changes)
        : changes.map((change) => ({ ...change, events: [] }));
    },
    async stored() {
      if (!hasBaseline) await store.setBaseline(account, owner, clock.now());
      await writes.delete(account, spentWrites);
    },
  };
}

interface Compared
  extends Pick<DomainComparisonOptions, 'ledger' | 'clock' | 'expiryDays' | 'quietWindowMs'>,
    Pick<Portfolio, 'index' | 'rowAsOf'> {
  readonly states: ReadonlyMap<string, string>;
  readonly now: Date;
}

/** Calls `add` with the known and the new state of each domain; null for one that was not known or is gone. */
async function compareAll(
  { states, index, rowAsOf, now, expiryDays, quietWindowMs, ledger, clock }: Compared,
  add: (domain: DomainName, before: WatchedState | null, after: WatchedState | null) => void,
): Promise<void> {
  const inLedger = lazy(() => ledger.names());
  const slices = createSlices(clock);
  const names = new Set<string>();
  for (const domain of index.names()) {
    names.add(domain);
    const row = index.find(domain);
    const { state } = readState(states.get(domain));
    // A domain that the ledger could not store would be removed as soon as a list leaves it out.
    if (row && (state || (await inLedger()).has(domain))) {
      const showsUntil = new Date((rowAsOf(domain) ?? now).getTime() - quietWindowMs);
      add(domain, state, stateOf(row, state, { now, showsUntil, expiryDays }));
    }
    if (slices.isOver()) await slices.next();
  }
  for (const [subject, text] of states) {
    if (isDomain(subject) && !names.has(subject)) {
      const { state } = readState(text);
      // A domain that the list leaves out is read in the background; the ledger removes it when it is gone.
      if (state && !(await inLedger()).has(subject)) add(subject, state, null);
    }
    if (slices.isOver()) await slices.next();
  }
}

/** The changes with the purchases that caused the additions. */
async function explainAdditions(
  { journal, account, clock }: DomainComparisonOptions,
  changes: readonly StateChange[],
): Promise<readonly StateChange[]> {
  const added = changes.flatMap(({ subject: domain, before, events }) => {
    const isAddition = isDomain(domain) && events.some(({ type }) => type === 'DOMAIN_ADDED');
    return isAddition ? [{ domain, removedAt: readState(before).removedAt }] : [];
  });
  const causes = new Map<string, Cause>();
  for (const some of parts(added, namesPerRead)) {
    const names = some.map(({ domain }) => domain);
    const purchases = Map.groupBy(await journal.byDomains(account, names), (one) => one.domain);
    for (const { domain, removedAt } of some) {
      causes.set(domain, causeOfAddition(purchases.get(domain) ?? [], removedAt));
    }
    await clock.wait(0);
  }
  return changes.map((change) => {
    const cause = causes.get(change.subject);
    return cause
      ? { ...change, events: change.events.map((event) => ({ ...event, ...cause })) }
      : change;
  });
}

/** The state of a domain; null for one that was removed, and for one that was never known. */
export function readState(text: string | null | undefined): {
  readonly state: WatchedState | null;
  readonly removedAt: Date | null;
} {
  const stored: WatchedState | Removed | null = typeof text === 'string' ? JSON.parse(text) : null;
  if (stored && 'removedAt' in stored) {
    return { state: null, removedAt: new Date(stored.removedAt) };
  }
  return { state: stored, removedAt: null };
}

/** The fault of a reader that needs the states of domains when none are stored. */
export const notCompared = () =>
  new Fault('UPSTREAM_UNAVAILABLE', {
    message:
      'The gateway does not know the expiry dates: it has not compared the domains yet, or EVENTS_INTERVAL_SECONDS is 0.',
    executed: 'NO',
  });
