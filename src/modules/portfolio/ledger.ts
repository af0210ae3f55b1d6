import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { KnownDomain, LedgerStore } from '../../persistence/ledger-store.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { toStoredRow } from './stored-row.ts';

interface LedgerOptions {
  readonly store: LedgerStore;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Called after a change that makes background reads necessary. */
  readonly onDue: () => void;
  /** Called with a failure that is no fault of the journal. */
  readonly onError: (error: unknown) => void;
}

export type Ledger = ReturnType<typeof createLedger>;

/** A row of this age is renewed while the list is in use or watched. */
const maxRowAgeMs = 60 * 60_000;
/** A purchased domain is read after this time, when no list was read before. */
export const purchasedDueMs = 24 * 60 * 60_000;

/**
 * The domains of an account that the gateway knows. The upstream lists a part of a large account only.
 *
 * A journal that cannot be used does not fail a read of the list: then the ledger has no domains.
 */
export function createLedger({ store, account, clock, onDue, onError }: LedgerOptions) {
  let recording: Promise<unknown> = Promise.resolve();

  const ignoreUnavailable = (error: unknown): void => {
    if (!(error instanceof Fault)) onError(error);
  };

  const dueAfter = (ms: number) => {
    const at = clock.now();
    return { at, dueAt: new Date(at.getTime() + ms) };
  };

  const readKnown = (read: () => Promise<readonly KnownDomain[]>) =>
    read().catch((error): readonly KnownDomain[] => {
      ignoreUnavailable(error);
      return [];
    });

  const storeChanges = async (changes: Changes): Promise<void> => {
    const { at, dueAt } = dueAfter(0);
    await store.add(account, changes.added, { source: 'LISTED', at, dueAt });
    await store.markListed(account, changes.appeared, true);
    await store.markListed(account, changes.vanished, false);
    if (changes.vanished.length > 0 || changes.leftOut.some(isDueAfter(at))) {
      await store.makeUnreadDue(account, at);
    }
    if (changes.leftOut.length > 0) onDue();
  };

  const recordNow = async (names: readonly DomainName[]): Promise<readonly KnownDomain[]> => {
    const changes = changesOf(names, await store.known(account));
    await storeChanges(changes).catch(ignoreUnavailable);
    return changes.leftOut;
  };

  return {
    /** Stores the names of a list, after those of earlier lists. Returns the known domains that the list leaves out. */
    record(names: readonly DomainName[]): Promise<readonly KnownDomain[]> {
      const recorded = readKnown(() => recording.then(() => recordNow(names)));
      recording = recorded;
      return recorded;
    },
    known: (): Promise<readonly KnownDomain[]> => readKnown(() => store.known(account)),
    /** The names of all known domains. @throws Fault `JOURNAL_UNAVAILABLE` */
    names: async (): Promise<ReadonlySet<DomainName>> => new Set(await store.names(account)),
    /** Stores the row of an unlisted domain. `at` is the time of its request. */
    async save(name: DomainName, row: DomainDetails, at: Date): Promise<void> {
      const dueAt = new Date(at.getTime() + maxRowAgeMs);
      await store
        .saveRow(account, name, { text: toStoredRow(row), at, dueAt })
        .catch(ignoreUnavailable);
    },
    /** Domains that a client names; they are read soon. @throws Fault `JOURNAL_UNAVAILABLE` */
    async import(names: readonly DomainName[]): Promise<number> {
      const added = await store.add(account, names, { source: 'IMPORTED', ...dueAfter(0) });
      if (added > 0) onDue();
      return added;
    },
    /** A domain that was bought. The next list usually has it. */
    async addPurchased(name: DomainName): Promise<void> {
      const how = { source: 'PURCHASED' as const, ...dueAfter(purchasedDueMs) };
      await store.add(account, [name], how).catch(ignoreUnavailable);
    },
    /** The domains of all purchases, for those that settled while no gateway ran. */
    addAllPurchased: (): Promise<void> => store.addPurchased(account, dueAfter(purchasedDueMs)),
    /** A write of the domain has ended. */
    recordWrite(name: DomainName): void {
      store.recordWrite(account, name, clock.now()).then(onDue, ignoreUnavailable);
    },
  };
}

/** Whether a domain that was never read is due after a time. */
const isDueAfter =
  (at: Date) =>
  ({ unlisted }: KnownDomain): boolean =>
    unlisted !== null && unlisted.takenAt === null && unlisted.dueAt > at;

type Changes = ReturnType<typeof changesOf>;

/** How a list differs from the stored state, which can be that of another replica's list. Of an equal list nothing is written. */
function changesOf(names: readonly DomainName[], known: readonly KnownDomain[]) {
  const inList = new Set(names);
  const added = new Set(names);
  for (const { name } of known) added.delete(name);
  const namesWhere = (test: (domain: KnownDomain) => unknown) =>
    known.filter(test).map(({ name }) => name);
  return {
    added: [...added],
    appeared: namesWhere(({ name, unlisted }) => unlisted && inList.has(name)),
    vanished: namesWhere(({ name, unlisted }) => !unlisted && !inList.has(name)),
    leftOut: known.filter(({ name }) => !inList.has(name)),
  };
}
