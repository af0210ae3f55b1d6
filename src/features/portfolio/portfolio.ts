import type { DomainName } from '../../kernel/domain-name.ts';
import { type FieldResult, notCached, valueOr } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { memoize } from '../../lib/lazy.ts';
import { createSlices } from '../../lib/slices.ts';
import { several } from '../../lib/text.ts';
import type { DomainLists } from '../../modules/domain/loader.ts';
import type { CustomerView } from '../../scope/customer-view.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { type DomainApi, readDetails } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { Ledger, Recorded } from './ledger.ts';
import type { KnownDomain } from './ledger-store.ts';
import type { PortfolioIndex } from './list-index/portfolio-index.ts';
import { minutesToRead } from './settings.ts';
import { fromStoredRow } from './stored-row.ts';

/** The domains of the account: the list of the upstream, and the known domains that it leaves out. */
export interface Portfolio {
  readonly index: PortfolioIndex;
  /** When the list was requested. */
  readonly asOf: Date;
  /** When the oldest row was requested. */
  readonly oldestRowAt: Date;
  /** Whether nothing is missing: false when the upstream counts more domains than there are rows, or sent no count, or a known domain has no row. */
  readonly complete: boolean;
  /** What completes the list, in one sentence for a person; null when it is complete. */
  readonly nextStep: string | null;
  /** Completeness of the list of the registrar, without the domains that only the ledger knows. */
  readonly isListComplete: boolean;
  /** As `Recorded.isRecorded`. */
  readonly isRecorded: boolean;
  readonly upstreamCount: FieldResult<number>;
  /** The number of domains that the gateway knows, with those that have no row. */
  readonly knownCount: number;
  /** The row of the list; null for a domain that the list leaves out. */
  find(name: DomainName): DomainDetails | null;
  /** As `find`, also of a domain that only the ledger has. */
  lastRead(name: DomainName): DomainDetails | null;
  /** When the row of the domain was requested; null for a domain without a row. */
  rowAsOf(name: DomainName): Date | null;
}

export const howToAdd = 'add their names with trackDomains or "npm run domains -- import FILE"';

/** `reads` has the first reads of known domains: how many are left, and `PORTFOLIO_READS_PER_MINUTE`. Without it no duration is named. */
export function nextStepOf(
  {
    complete,
    upstreamCount,
    knownCount,
  }: Pick<Portfolio, 'complete' | 'upstreamCount' | 'knownCount'>,
  reads = { unread: 0, perMinute: 0 },
): string | null {
  if (complete) return null;
  const counted = valueOr(upstreamCount, null);
  if (counted === null)
    return 'The registrar does not send how many domains the account has: compare the list with its panel, and add domains that are missing with trackDomains.';
  const missing = counted - knownCount;
  if (missing > 0)
    return `The gateway does not know ${several(missing, 'domain')} that the registrar counts: ${howToAdd}.`;
  if (reads.unread === 0)
    return "The gateway reads the domains that the registrar's list leaves out in the background: read the list again later.";
  const minutes = minutesToRead(reads.unread, reads.perMinute);
  const unread = several(reads.unread, 'domain');
  return minutes === null
    ? `Set PORTFOLIO_READS_PER_MINUTE above 0, so that the gateway reads ${unread} that the registrar's list leaves out.`
    : `The gateway reads ${unread} that the registrar's list leaves out in the background, in about ${several(minutes, 'minute')}: read the list again then.`;
}

export interface PortfolioSources {
  readonly api: Pick<DomainApi, 'getdomainlist' | 'getdetails'>;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'record' | 'known' | 'save' | 'recordWrite'>;
  /** `PORTFOLIO_READS_PER_MINUTE`; default 0. */
  readonly readsPerMinute?: number;
}

export type PortfolioLoader = ReturnType<typeof createPortfolioLoader>;

/** Above this number of written domains, reading the list is cheaper than reading each domain. */
export const maxWrites = 5;

export const withoutSecret = (row: DomainDetails): DomainDetails => ({
  ...row,
  authCode: notCached,
});

/** Reads lists, and adds the known domains that they leave out. */
export function createPortfolioLoader({
  api,
  clock,
  ledger,
  readsPerMinute: perMinute = 0,
}: PortfolioSources) {
  const merge = createMerge(clock);
  /** The names of a list. Later its index has those of the ledger too. */
  const namesOf = memoize((index: PortfolioIndex) => index.names());

  async function readRow(name: DomainName, options: CallOptions): Promise<DomainDetails | null> {
    const at = clock.now();
    const row = await readDetails(api, name, options);
    if (row) await ledger.save(name, row, at);
    return row && withoutSecret(row);
  }

  /** The known domains that a list leaves out. Those with a write that their row does not show are read first, up to a number. */
  async function leftOut(names: readonly DomainName[], options: CallOptions): Promise<Recorded> {
    const recorded = await ledger.record(names);
    const written = recorded.leftOut
      .filter(({ unlisted }) => unlisted?.changedAt && !unlisted.missingAt)
      .slice(0, maxWrites);
    if (written.length === 0) return recorded;
    await Promise.allSettled(written.map(({ name }) => readRow(name, options)));
    return ledger.record(names);
  }

  async function addKnown(
    { index, asOf, upstreamCount }: Pick<Portfolio, 'index' | 'asOf' | 'upstreamCount'>,
    { leftOut: known, isRecorded }: Recorded,
  ): Promise<Portfolio> {
    const { rowTimes, knownBefore, unread, oldestRowAt } = await merge(index, known, asOf);
    const counted = valueOr(upstreamCount, Infinity);
    const complete = unread === 0 && index.rowCount + knownBefore >= counted;
    const knownCount = index.size + unread;
    return {
      index,
      asOf,
      oldestRowAt,
      upstreamCount,
      complete,
      nextStep: nextStepOf({ complete, upstreamCount, knownCount }, { unread, perMinute }),
      isListComplete: index.rowCount >= counted,
      isRecorded,
      knownCount,
      find: (name) => (rowTimes.has(name) ? null : index.find(name)),
      lastRead: (name) => index.find(name),
      rowAsOf: (name) => rowTimes.get(name) ?? (index.has(name) ? asOf : null),
    };
  }

  return {
    readRow,
    /** `readIndex` returns the index of rows. */
    async load(
      options: CallOptions,
      readIndex: (rows: readonly DomainDetails[]) => Promise<PortfolioIndex>,
    ): Promise<Portfolio> {
      const asOf = clock.now();
      const { domains, totalCount: upstreamCount } = await api.getdomainlist({}, options);
      const index = await readIndex(domains);
      return addKnown({ index, asOf, upstreamCount }, await leftOut(namesOf(index), options));
    },
    /** The list with the rows that the ledger has now. */
    renew: async (portfolio: Portfolio): Promise<Portfolio> =>
      addKnown(portfolio, { ...portfolio, leftOut: await ledger.known() }),
  };
}

/** The domains that were merged into the index of a list. */
interface Merged {
  /** The names whose rows are from the ledger, and when each row was requested. */
  readonly rowTimes: ReadonlyMap<DomainName, Date>;
  /** How many of them were known when the list was requested, without those that the last read did not find. */
  readonly knownBefore: number;
  /** Known domains without a row. */
  readonly unread: number;
  /** When the oldest row was requested, of those of the list too. */
  readonly oldestRowAt: Date;
}

/**
 * Adds the rows of the ledger to indexes of lists, in slices, one merge after the other. An index can be merged again, with a
 * later state of the ledger.
 */
export function createMerge(clock: Pick<Clock, 'monotonicMs' | 'wait'>) {
  const merged = new WeakMap<PortfolioIndex, Map<DomainName, Date>>();
  let last: Promise<unknown> = Promise.resolve();

  const mergeNow = async (
    index: PortfolioIndex,
    known: readonly KnownDomain[],
    listedAt: Date,
  ): Promise<Merged> => {
    const slices = createSlices(clock);
    const rowTimes = merged.get(index) ?? new Map<DomainName, Date>();
    merged.set(index, rowTimes);
    const withRow = new Set<DomainName>();
    let [knownBefore, unread, oldestRowAt] = [0, 0, listedAt];
    for (const { name, unlisted } of known) {
      if (slices.isOver()) await slices.next();
      // The list, or a read after a write, has a newer row.
      if (!rowTimes.has(name) && index.has(name)) continue;
      if (!unlisted?.row || !unlisted.rowAt) {
        unread += 1;
        continue;
      }
      withRow.add(name);
      const { row, rowAt, addedAt, missingAt } = unlisted;
      if (rowAt < oldestRowAt) oldestRowAt = rowAt;
      if (addedAt <= listedAt && missingAt === null) knownBefore += 1;
      if (rowTimes.get(name)?.getTime() === rowAt.getTime()) continue;
      index.change(name, fromStoredRow(row));
      rowTimes.set(name, rowAt);
    }
    for (const name of rowTimes.keys()) {
      if (slices.isOver()) await slices.next();
      if (withRow.has(name)) continue;
      index.change(name, null);
      rowTimes.delete(name);
    }
    return { rowTimes, knownBefore, unread, oldestRowAt };
  };

  return (...state: Parameters<typeof mergeNow>): Promise<Merged> => {
    const result = last.then(() => mergeNow(...state));
    last = result.catch(() => undefined);
    return result;
  };
}

export type PortfolioReads = DomainLists<Portfolio>;

type ReadPortfolio = (options: CallOptions) => Promise<Portfolio>;

interface Lists {
  readonly read: ReadPortfolio;
  readonly readRefreshed: ReadPortfolio;
}

/** The lists of the domains of the customer. */
export function restrictedTo(view: Pick<CustomerView, 'readNames'>, lists: Lists): Lists {
  const ofCustomer =
    (read: ReadPortfolio): ReadPortfolio =>
    async (options) =>
      portfolioOf(...(await Promise.all([read(options), view.readNames()])));
  return { read: ofCustomer(lists.read), readRefreshed: ofCustomer(lists.readRefreshed) };
}

/** Every count is one of the domains with these names. */
function portfolioOf(portfolio: Portfolio, own: ReadonlySet<DomainName>): Portfolio {
  const index = portfolio.index.restrictedTo(own);
  const complete = portfolio.complete || index.size === own.size;
  const times = index.names().map((name) => portfolio.rowAsOf(name) ?? portfolio.asOf);
  // Names that the account does not have any more are in no complete list.
  const counts = { upstreamCount: index.size, knownCount: complete ? index.size : own.size };
  return {
    ...portfolio,
    ...counts,
    index,
    complete,
    nextStep: nextStepOf({ ...counts, complete }),
    oldestRowAt: times.reduce((oldest, at) => (at < oldest ? at : oldest), portfolio.asOf),
    find: (name) => (own.has(name) ? portfolio.find(name) : null),
    lastRead: (name) => index.find(name),
    rowAsOf: (name) => (own.has(name) ? portfolio.rowAsOf(name) : null),
  };
}
