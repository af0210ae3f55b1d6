import { dayMs } from '../../kernel/instant.ts';
import type { Money } from '../../kernel/money.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Balances } from '../../modules/balance/balance.ts';
import { listedRenewal } from '../../modules/quote/quote.ts';
import { pricing, type Quotes } from '../../modules/quote/quotes.ts';
import { type TldReads, tldReads } from '../../modules/tld/loader.ts';
import type { StoredReads } from '../../scope/reads.ts';
import { perRequest } from '../../scope/scope.ts';
import { type DomainOrder, domainPlace } from './domain-place.ts';
import { type DomainFilterInput, filterResolver, type ResolveFilter } from './filter-resolver.ts';
import type { PageQuery, RenewalPrice } from './list-index/portfolio-index.ts';
import { portfolioReads } from './parts.ts';
import type { Portfolio } from './portfolio.ts';
import type { PortfolioReads } from './reads.ts';
import { areCovered, coveredDays, renewalsWithin, undecidedReason } from './renewals-due.ts';

interface PortfolioDeps {
  readonly lists: Pick<PortfolioReads, 'list' | 'refreshed'>;
  readonly tlds: TldReads;
  readonly clock: Clock;
  readonly quotes: Quotes;
  readonly stored: Pick<StoredReads, 'inTurn'>;
  readonly resolveFilter: ResolveFilter;
}

/** The renewals of the domains that expire at `from` or later and before `until`. */
export interface Renewals {
  readonly from: Date;
  readonly until: Date;
  readonly count: number;
  /** Domains without a known price. */
  readonly unpriced: number;
  /** What customers pay, one for each currency. */
  readonly totals: readonly Money[];
  /** As `totals`, what the registrar charges. */
  readonly costs: readonly Money[];
  readonly coverage: Portfolio;
  /** The decision of balances: about the prices for a caller who must not know costs. */
  readonly coveredBy: (balances: Balances, hidesCosts: boolean) => Covered;
}

interface Covered {
  /** Null when that cannot be decided. */
  readonly covered: boolean | null;
  /** Why that cannot be decided. */
  readonly reason: string | null;
}

type Sums = Pick<Renewals, 'count' | 'unpriced' | 'totals'>;

export type DomainStats = Awaited<ReturnType<ReturnType<typeof createPortfolioService>['count']>>;

type Filter = DomainFilterInput | null | undefined;

/** The account's domains as one list. The upstream has no pages, so all pages come from one read. */
export function createPortfolioService({
  lists,
  tlds,
  clock,
  quotes,
  stored,
  resolveFilter,
}: PortfolioDeps) {
  const renewalCost: RenewalPrice = async (name) => {
    const found = await tlds.above(name);
    return found && listedRenewal(found.tld);
  };
  const renewalPrice: RenewalPrice = async (name) => {
    const found = await tlds.above(name);
    return found && quotes.renewalPrice(found.tld);
  };
  const read = (refresh: boolean) => (refresh ? lists.refreshed() : lists.list());
  /** Of many domains each filter and each count takes a few milliseconds, and a request can have many of them. */
  const inTurn = async <T>(compute: () => T | Promise<T>): Promise<T> => {
    await stored.inTurn(async () => undefined);
    return compute();
  };

  const sumsOf = async <T>(
    sumUp: (priceOf: RenewalPrice) => Promise<T>,
  ): Promise<[shown: T, due: T]> => {
    const due = await sumUp(renewalCost);
    return [quotes.areRetail ? await sumUp(renewalPrice) : due, due];
  };
  const asRenewals = (
    coverage: Portfolio,
    span: Pick<Renewals, 'from' | 'until'>,
    [shown, due]: readonly [Sums, Sums],
  ): Renewals => ({
    ...span,
    coverage,
    count: shown.count,
    unpriced: shown.unpriced,
    totals: shown.totals,
    costs: due.totals,
    coveredBy(balances, hidesCosts) {
      const counted = hidesCosts ? shown : due;
      const isExact = coverage.complete && counted.unpriced === 0;
      // No time has no renewals, also in an incomplete list.
      const covered = span.until <= span.from || areCovered({ ...counted, isExact }, balances);
      return {
        covered,
        reason: covered === null ? undecidedReason(counted, balances, coverage) : null,
      };
    },
  });
  const within = (list: Portfolio, days: number, now: Date) =>
    inTurn(async () => {
      const until = new Date(now.getTime() + days * dayMs);
      const sums = await sumsOf((priceOf) => renewalsWithin(list, { days, now }, priceOf));
      return asRenewals(list, { from: now, until }, sums);
    });

  return {
    /** Needs no read, so that an invalid cursor causes no call. */
    placeIn: domainPlace,

    async page(input: Filter, query: PageQuery, refresh: boolean) {
      const filter = await resolveFilter(input);
      const coverage = await read(refresh);
      const { index } = coverage;
      const page = await inTurn(() => index.page({ filter, now: clock.now() }, query));
      return { coverage, ...page };
    },

    /** The renewals of the next `days` days. */
    renewalsDue: async (days: number): Promise<Renewals> =>
      within(await lists.list(), days, clock.now()),

    /** The renewals that the balances cover, or may cover: until the first day whose renewals they do not. */
    async renewalsCovered(balances: Balances, hidesCosts: boolean): Promise<Renewals> {
      const list = await lists.list();
      const now = clock.now();
      const priceOf = hidesCosts ? renewalPrice : renewalCost;
      const { days } = await coveredDays(balances, (some) =>
        inTurn(() => renewalsWithin(list, { days: some, now }, priceOf)),
      );
      return within(list, days, now);
    },

    /** The selected domains, as they are now. */
    async rows(input: Filter, order: DomainOrder) {
      const filter = await resolveFilter(input);
      const { index, ...coverage } = await lists.list();
      return { ...coverage, rows: index.rows({ filter, now: clock.now() }, domainPlace(order)) };
    },

    async count(input: Filter, refresh: boolean) {
      const filter = await resolveFilter(input);
      const coverage = await read(refresh);
      const { index } = coverage;
      const counts = await inTurn(() => index.count({ filter, now: clock.now() }));
      return {
        coverage,
        totalCount: counts.totalCount,
        byTld: (limit: number) => inTurn(() => counts.byTld(limit)),
        byState: () => inTurn(counts.byState),
        byNameServer: (limit: number) => inTurn(() => counts.byNameServer(limit)),
        byExpiryMonth: () => inTurn(counts.byExpiryMonth),
        /** Begins with the current month. */
        renewals: (months: number) =>
          inTurn(async () => {
            const now = clock.now();
            const [shown, due] = await sumsOf((priceOf) => counts.renewals(now, months, priceOf));
            return shown.map((month, at) => {
              const span = { from: monthAfter(now, at), until: monthAfter(now, at + 1) };
              return asRenewals(coverage, span, [month, due[at] ?? month]);
            });
          }),
      };
    },
  };
}

/** The start of a month in UTC, counted from that of a time. */
const monthAfter = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));

export const portfolio = perRequest('portfolio', ({ clock, stored, use }) =>
  createPortfolioService({
    clock,
    stored,
    lists: use(portfolioReads),
    tlds: use(tldReads),
    quotes: use(pricing),
    resolveFilter: use(filterResolver),
  }),
);
