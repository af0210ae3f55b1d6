import type { DomainName } from '../../kernel/domain-name.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { createSlices } from '../../lib/slices.ts';
import type { DomainWrite } from '../../persistence/domain-write-store.ts';
import type { StateChange } from '../../persistence/event-store.ts';
import type { Journal } from '../../persistence/store.ts';
import type { Ledger } from '../portfolio/ledger.ts';
import { differencesBetween, stateOf, type WatchedState } from './compare.ts';
import { type Comparison, changeOf } from './comparison.ts';
import { type Cause, causeOfAddition, createExplanations } from './explanation.ts';

export interface DomainComparisonOptions {
  readonly journal: Pick<Journal, 'events' | 'domainWrites' | 'byDomains'>;
  readonly ledger: Pick<Ledger, 'names'>;
  readonly account: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** Days before the expiry of a domain at which `EXPIRING` is an event. */
  readonly expiryDays: readonly number[];
  /** Time in which the upstream may execute a write whose reply was lost. */
  readonly quietWindowMs: number;
}

/** The stored state of a domain that was removed. */
interface Removed {
  readonly removedAt: string;
}

/** The keys of other subjects have a colon. */
const isDomain = (subject: string): subject is DomainName => !subject.includes(':');

const namesPerRead = 200;
/** A write of a domain that cannot be read explains changes for this long. */
const unreadMs = dayMs;

/** Finds the changes of domains. Those that the first comparison finds have no events. */
export function createDomainComparison(options: DomainComparisonOptions): Comparison {
  const { journal, ledger, account, owner, clock, randomness, expiryDays, quietWindowMs } = options;
  let hasBaseline = false;
  let spentWrites: readonly string[] = [];

  /** A domain that appeared, with the time of its last removal. */
  type Added = ReadonlyMap<DomainName, Date | null>;

  const causesOf = async (added: Added): Promise<ReadonlyMap<DomainName, Cause>> => {
    const causes = new Map<DomainName, Cause>();
    const names = [...added.keys()];
    for (let from = 0; from < names.length; from += namesPerRead) {
      const some = names.slice(from, from + namesPerRead);
      const purchases = Map.groupBy(await journal.byDomains(account, some), (one) => one.domain);
      for (const name of some) {
        causes.set(name, causeOfAddition(purchases.get(name) ?? [], added.get(name) ?? null));
      }
      await clock.wait(0);
    }
    return causes;
  };

  return {
    async find({ states, portfolio }) {
      hasBaseline = await journal.events.hasBaseline(account);
      const { index, rowAsOf } = await portfolio();
      const now = clock.now();
      const explanations = createExplanations(await journal.domainWrites.list(account));
      const changes: StateChange[] = [];
      const added = new Map<DomainName, Date | null>();
      const slices = createSlices(clock);
      const names = new Set(index.names());
      let inLedger: ReadonlySet<DomainName> | null = null;
      const isInLedger = async (domain: DomainName) => {
        inLedger ??= await ledger.names();
        return inLedger.has(domain);
      };
      const add = (domain: DomainName, before: WatchedState | null, after: WatchedState | null) => {
        const stored = after ?? ({ removedAt: now.toISOString() } satisfies Removed);
        const events = () =>
          differencesBetween(before, after).map((difference) => ({
            ...{ ...difference, id: randomness.uuid(), at: now, subject: domain, domain },
            ...explanations.causeOf(domain, difference),
          }));
        changes.push(...changeOf(domain, states.get(domain), stored, events));
      };
      for (const domain of names) {
        const row = index.find(domain);
        const { state, removedAt } = read(states.get(domain));
        // A domain that the ledger could not store would be removed as soon as a list leaves it out.
        if (row && (state || (await isInLedger(domain)))) {
          if (!state) added.set(domain, removedAt);
          add(domain, state, stateOf(row, state, { now, expiryDays }));
        }
        if (slices.isOver()) await slices.next();
      }
      for (const [subject, text] of states) {
        const state = isDomain(subject) && !names.has(subject) ? read(text).state : null;
        // A domain that the list leaves out is read in the background; the ledger removes it when it is gone.
        if (state && !(await isInLedger(subject as DomainName))) {
          add(subject as DomainName, state, null);
        }
        if (slices.isOver()) await slices.next();
      }
      const isShown = ({ domain, at }: DomainWrite) => {
        const readMs = rowAsOf(domain)?.getTime() ?? now.getTime() - unreadMs;
        return at.getTime() + quietWindowMs < readMs;
      };
      spentWrites = explanations.spent(isShown);
      if (!hasBaseline) return changes.map((change) => ({ ...change, events: [] }));
      const causes = await causesOf(added);
      return changes.map((change) => {
        const cause = causes.get(change.subject as DomainName);
        return cause
          ? { ...change, events: change.events.map((event) => ({ ...event, ...cause })) }
          : change;
      });
    },
    async stored() {
      if (!hasBaseline) await journal.events.setBaseline(account, owner);
      await journal.domainWrites.delete(account, spentWrites);
    },
  };
}

/** The state of a domain; null for one that was removed, and for one that was never known. */
function read(text: string | undefined): {
  readonly state: WatchedState | null;
  readonly removedAt: Date | null;
} {
  const stored: WatchedState | Removed | null = text === undefined ? null : JSON.parse(text);
  return stored && 'removedAt' in stored
    ? { state: null, removedAt: new Date(stored.removedAt) }
    : { state: stored, removedAt: null };
}
