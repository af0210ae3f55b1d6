import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { createSlices, parts, type SliceClock } from '../../lib/slices.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { KnownDomain, LedgerStore } from './ledger-store.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { toStoredRow } from './stored-row.ts';

interface LedgerOptions extends Pick<TenantFacts, 'account' | 'clock'> {
  readonly store: LedgerStore;
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
/** SQLite stores them in about 4 ms, and reads them with rows in about 6 ms. */
const domainsPerStatement = 500;
/** An equal list is compared again after this time: another replica may have changed the ledger. */
const maxComparedMs = 1_000;

/**
 * The domains of an account that the gateway knows. The upstream lists a part of a large account only.
 *
 * Lists are read and stored in slices, so that other requests run in between. Each page and each write may be the last one
 * before the process ends: the next list finds and stores the remaining differences.
 *
 * A journal that cannot be used does not fail a read of the list: then the ledger has no domains.
 */
export function createLedger({ store, account, clock, onDue, onError }: LedgerOptions) {
  let recording: Promise<unknown> = Promise.resolve();
  let compared: Compared | null = null;

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

  const knownPages = () =>
    pagesOf(
      (after, limit) => store.known(account, after, limit),
      ({ name }) => name,
      clock,
    );

  const inParts = async (
    names: readonly DomainName[],
    write: (some: readonly DomainName[]) => Promise<unknown>,
  ): Promise<void> => {
    const slices = createSlices(clock);
    for (const some of parts(names, domainsPerStatement)) {
      if (slices.isOver()) await slices.next();
      await write(some);
    }
  };

  const storeChanges = async (changes: Changes, at: Date): Promise<void> => {
    const how = { source: 'LISTED', at, dueAt: at } as const;
    await inParts(changes.added, (some) => store.add(account, some, how));
    await inParts(changes.appeared, (some) => store.markListed(account, some, true));
    await inParts(changes.vanished, (some) => store.markListed(account, some, false));
    if (changes.vanished.length > 0 || changes.hasUnreadLater) {
      await store.makeUnreadDue(account, at);
    }
    if (changes.leftOut.length > 0) onDue();
  };

  const recordNow = async (names: readonly DomainName[]): Promise<Recorded> => {
    const revision = store.revision();
    const isSame = compared?.names === names && compared.revision === revision;
    if (compared && isSame && clock.monotonicMs() < compared.untilMs) {
      return { leftOut: compared.leftOut, isRecorded: true };
    }
    const at = clock.now();
    const untilMs = clock.monotonicMs() + maxComparedMs;
    const changes = await changesOf(names, knownPages(), at, clock);
    const { leftOut } = changes;
    const isEqual = changes.added.length + changes.appeared.length + changes.vanished.length === 0;
    compared = isEqual ? { names, leftOut, revision, untilMs } : null;
    const isRecorded = await storeChanges(changes, at).then(
      () => true,
      (error) => {
        ignoreUnavailable(error);
        return false;
      },
    );
    return { leftOut, isRecorded };
  };

  return {
    /** Stores the names of a list, after those of earlier lists. */
    record(names: readonly DomainName[]): Promise<Recorded> {
      const recorded = recording
        .then(() => recordNow(names))
        .catch((error): Recorded => {
          ignoreUnavailable(error);
          return { leftOut: [], isRecorded: false };
        });
      recording = recorded;
      return recorded;
    },
    known: (): Promise<readonly KnownDomain[]> =>
      readKnown(async () => {
        const known: KnownDomain[] = [];
        for await (const page of knownPages()) known.push(...page);
        return known;
      }),
    /** The names of all known domains. @throws Fault `JOURNAL_UNAVAILABLE` */
    async names(): Promise<ReadonlySet<DomainName>> {
      const names = new Set<DomainName>();
      const pages = pagesOf(
        (after, limit) => store.names(account, after, limit),
        (name) => name,
        clock,
      );
      for await (const page of pages) {
        for (const name of page) names.add(name);
      }
      return names;
    },
    /** Stores the row of an unlisted domain. `at` is the time of its request. */
    async save(name: DomainName, row: DomainDetails, at: Date): Promise<void> {
      const dueAt = new Date(at.getTime() + maxRowAgeMs);
      await store
        .saveRow(account, name, { text: toStoredRow(row), at, dueAt })
        .catch(ignoreUnavailable);
    },
    /** Domains that a client names; they are read soon. @throws Fault `JOURNAL_UNAVAILABLE` */
    async import(names: readonly DomainName[]): Promise<number> {
      const how = { source: 'IMPORTED', ...dueAfter(0) } as const;
      let added = 0;
      await inParts(names, async (some) => {
        added += await store.add(account, some, how);
      });
      if (added > 0) onDue();
      return added;
    },
    /** A domain that was bought. The next list usually has it. */
    async addPurchased(name: DomainName): Promise<void> {
      const how = { source: 'PURCHASED' as const, ...dueAfter(purchasedDueMs) };
      await store.add(account, [name], how).catch(ignoreUnavailable);
    },
    /** The domains of all purchases, for those that settled while no gateway ran. */
    async addAllPurchased(): Promise<void> {
      const how = dueAfter(purchasedDueMs);
      let after = await store.addPurchased(account, how);
      while (after !== null) {
        await clock.wait(0);
        after = await store.addPurchased(account, how, after);
      }
    },
    /** A write of the domain has ended. */
    recordWrite(name: DomainName): void {
      store.recordWrite(account, name, clock.now()).then(onDue, ignoreUnavailable);
    },
  };
}

/** A list in the ledger. */
export interface Recorded {
  /** The known domains that the list leaves out; none when they cannot be read. */
  readonly leftOut: readonly KnownDomain[];
  /** Whether the ledger has stored which domains the list has. Otherwise a later list can show an older row of one of them. */
  readonly isRecorded: boolean;
}

/** A list that equals the stored state. An equal response has the same array of names. */
interface Compared {
  readonly names: readonly DomainName[];
  readonly leftOut: readonly KnownDomain[];
  /** That of the store before the comparison. */
  readonly revision: number;
  readonly untilMs: number;
}

/** All pages. Other requests run between two of them. */
async function* pagesOf<T>(
  read: (after: DomainName | null, limit: number) => Promise<readonly T[]>,
  nameIn: (one: T) => DomainName,
  clock: SliceClock,
): AsyncGenerator<readonly T[]> {
  const slices = createSlices(clock);
  for (let after: DomainName | null = null; ; ) {
    const page: readonly T[] = await read(after, domainsPerStatement);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < domainsPerStatement) return;
    after = nameIn(last);
    if (slices.isOver()) await slices.next();
  }
}

type Changes = Awaited<ReturnType<typeof changesOf>>;

/** How a list differs from the stored state, which can be that of another replica's list. Of an equal list nothing is written. */
async function changesOf(
  names: readonly DomainName[],
  known: AsyncIterable<readonly KnownDomain[]>,
  at: Date,
  clock: SliceClock,
) {
  /** Without the known names that were compared. */
  const inList = new Set<DomainName>();
  const slices = createSlices(clock);
  for (const some of parts(names, domainsPerStatement)) {
    for (const name of some) inList.add(name);
    if (slices.isOver()) await slices.next();
  }
  const [appeared, vanished]: [DomainName[], DomainName[]] = [[], []];
  const leftOut: KnownDomain[] = [];
  /** Whether a domain that was never read is due later than now. */
  let hasUnreadLater = false;
  for await (const page of known) {
    for (const domain of page) {
      const { name, unlisted } = domain;
      const isListed = inList.delete(name);
      if (isListed && unlisted) appeared.push(name);
      if (!isListed && !unlisted) vanished.push(name);
      if (isListed) continue;
      leftOut.push(domain);
      hasUnreadLater ||= unlisted !== null && unlisted.takenAt === null && unlisted.dueAt > at;
    }
  }
  return { added: [...inList], appeared, vanished, leftOut, hasUnreadLater };
}
