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

  /** Another replica may have recorded another list since the last one, so nothing is taken from that. */
  const recordNow = async (names: readonly DomainName[]): Promise<readonly KnownDomain[]> => {
    const known = await store.known(account);
    const inList = new Set(names);
    const leftOut = known.filter(({ name }) => !inList.has(name));
    await storeChanges(names, known, leftOut).catch(ignoreUnavailable);
    if (leftOut.length > 0) onDue();
    return leftOut;
  };

  /** Of a list that equals the stored state nothing is written. */
  const storeChanges = async (
    names: readonly DomainName[],
    known: readonly KnownDomain[],
    leftOut: readonly KnownDomain[],
  ): Promise<void> => {
    const added = new Set(names);
    const appeared = new Set<DomainName>();
    for (const { name, unlisted } of known) if (added.delete(name) && unlisted) appeared.add(name);
    const vanished = leftOut.filter(({ unlisted }) => unlisted === null).map(({ name }) => name);
    const now = clock.now();
    const isWaiting = leftOut.some(
      ({ unlisted }) => unlisted && unlisted.takenAt === null && unlisted.dueAt > now,
    );
    await store.add(account, [...added], { source: 'LISTED', ...dueAfter(0) });
    await store.markListed(account, [...appeared], true);
    await store.markListed(account, vanished, false);
    if (isWaiting || vanished.length > 0) await store.makeUnreadDue(account, now);
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
