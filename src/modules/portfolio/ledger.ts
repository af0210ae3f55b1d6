import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { LedgerStore, UnlistedDomain } from '../../persistence/ledger-store.ts';
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
const pageSize = 5_000;

/**
 * The domains of an account that the gateway knows. The upstream lists a part of a large account only.
 *
 * A journal that cannot be used does not fail a read of the list: then the ledger has no domains.
 */
export function createLedger({ store, account, clock, onDue, onError }: LedgerOptions) {
  let recording: Promise<void> = Promise.resolve();

  const ignoreUnavailable = (error: unknown): void => {
    if (!(error instanceof Fault)) onError(error);
  };

  const dueAfter = (ms: number) => {
    const at = clock.now();
    return { at, dueAt: new Date(at.getTime() + ms) };
  };

  async function* pages() {
    for (let after: DomainName | null = null; ; ) {
      const page = await store.page(account, after, pageSize);
      yield page;
      after = page.at(-1)?.name ?? null;
      if (page.length < pageSize) return;
    }
  }

  /** Also a list that equals the last one: another replica may have recorded another list since. */
  const recordNow = async (names: readonly DomainName[]): Promise<void> => {
    const missing = new Set(names);
    const appeared: DomainName[] = [];
    const vanished: DomainName[] = [];
    const inList = new Set(names);
    let hasUnlisted = false;
    for await (const page of pages()) {
      for (const { name, listed } of page) {
        missing.delete(name);
        const isListed = inList.has(name);
        if (isListed && !listed) appeared.push(name);
        if (!isListed && listed) vanished.push(name);
        hasUnlisted ||= !isListed;
      }
    }
    await store.add(account, [...missing], { source: 'LISTED', ...dueAfter(0) });
    await store.markListed(account, appeared, true);
    await store.markListed(account, vanished, false);
    if (hasUnlisted) await store.makeUnreadDue(account, clock.now());
    if (hasUnlisted) onDue();
  };

  return {
    /** Stores the names of a list in the background, after those of earlier lists. */
    record(names: readonly DomainName[]): void {
      recording = recording.then(() => recordNow(names)).catch(ignoreUnavailable);
    },
    /** Resolves when the names of the last list are stored. */
    whenRecorded: (): Promise<void> => recording,
    /** The names of all known domains. @throws Fault `JOURNAL_UNAVAILABLE` */
    async names(): Promise<ReadonlySet<DomainName>> {
      const names = new Set<DomainName>();
      for await (const page of pages()) for (const { name } of page) names.add(name);
      return names;
    },
    /** The domains that the last list left out. */
    unlisted: (): Promise<readonly UnlistedDomain[]> =>
      store.unlisted(account).catch((error) => {
        ignoreUnavailable(error);
        return [];
      }),
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
