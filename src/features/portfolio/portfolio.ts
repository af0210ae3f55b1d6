import type { DomainName } from '../../kernel/domain-name.ts';
import { type FieldResult, notCached, valueOr } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { memoize } from '../../lib/lazy.ts';
import { several } from '../../lib/text.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { type DomainApi, readDetails } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { Ledger, Recorded } from './ledger.ts';
import type { PortfolioIndex } from './list-index/portfolio-index.ts';
import { createMerge } from './merge.ts';
import { minutesToRead } from './read-pace.ts';

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
  /** The number of domains that the upstream counts. */
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

/** The first reads of known domains: how many are left, and `PORTFOLIO_READS_PER_MINUTE`. */
interface FirstReads {
  readonly unread: number;
  readonly perMinute: number;
}

export const howToAdd = 'add their names with trackDomains or "npm run domains -- import FILE"';

/** Without `reads` it names no duration. */
export function nextStepOf({
  complete,
  upstreamCount,
  knownCount,
  reads,
}: Pick<Portfolio, 'complete' | 'upstreamCount' | 'knownCount'> & {
  readonly reads?: FirstReads;
}): string | null {
  if (complete) return null;
  const counted = valueOr(upstreamCount, null);
  if (counted === null)
    return 'The registrar does not send how many domains the account has: compare the list with its panel, and add domains that are missing with trackDomains.';
  const missing = counted - knownCount;
  if (missing > 0)
    return `The gateway does not know ${several(missing, 'domain')} that the registrar counts: ${howToAdd}.`;
  if (!reads || reads.unread === 0)
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

type ReadIndex = (rows: readonly DomainDetails[]) => Promise<PortfolioIndex>;

/** Above this number of written domains, reading the list is cheaper than reading each domain. */
export const maxWrites = 5;

/** The cache never stores auth codes. */
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
      nextStep: nextStepOf({ complete, upstreamCount, knownCount, reads: { unread, perMinute } }),
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
    async load(options: CallOptions, readIndex: ReadIndex): Promise<Portfolio> {
      const asOf = clock.now();
      const { domains, totalCount: upstreamCount } = await api.getdomainlist({}, options);
      const index = await readIndex(domains);
      return addKnown({ index, asOf, upstreamCount }, await leftOut(namesOf(index), options));
    },
    /** The list with the rows that the ledger has now. */
    renew: async (portfolio: Portfolio): Promise<Portfolio> =>
      addKnown(portfolio, {
        leftOut: await ledger.known(),
        isRecorded: portfolio.isRecorded,
      }),
  };
}
