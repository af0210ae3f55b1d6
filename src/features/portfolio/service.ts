import type { Clock } from '../../lib/clock.ts';
import { perRequest } from '../../scope/scope.ts';
import type { StoredReads } from '../../scope/stored-reads.ts';
import type { Balances } from '../../modules/balance/balance.ts';
import { listedRenewal } from '../../modules/quote/quote.ts';
import { pricing, type Quotes } from '../../modules/quote/quotes.ts';
import { type TldReads, tldReads } from '../../modules/tld/loader.ts';
import { type DomainOrder, domainPlace } from './domain-place.ts';
import { type DomainFilterInput, filterResolver, type ResolveFilter } from './filter-resolver.ts';
import type { PageQuery, RenewalMonth, RenewalPrice } from './list-index/portfolio-index.ts';
import { portfolioReads } from './parts.ts';
import type { PortfolioReads } from './reads.ts';
import {
  areCovered,
  coveredUntil,
  type RenewalsDue,
  renewalsWithin,
  undecidedReason,
} from './renewals-due.ts';

interface PortfolioDeps {
  readonly lists: Pick<PortfolioReads, 'list' | 'refreshed'>;
  readonly tlds: TldReads;
  readonly clock: Clock;
  readonly quotes: Quotes;
  readonly stored: Pick<StoredReads, 'inTurn'>;
  readonly resolveFilter: ResolveFilter;
}

/** A month with what its renewals cost. */
export interface PricedMonth extends RenewalMonth {
  readonly costs: RenewalMonth['totals'];
}

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

    /** The renewals of the next `days` days, compared with the balances: their prices for a caller who must not know costs. */
    async renewalsDue(balances: Balances, days: number, hidesCosts: boolean): Promise<RenewalsDue> {
      const list = await lists.list();
      const span = { days, now: clock.now() };
      return inTurn(async () => {
        const due = await renewalsWithin(list, span, renewalCost);
        const shown = quotes.areRetail ? await renewalsWithin(list, span, renewalPrice) : due;
        const counted = hidesCosts ? shown : due;
        const covered = areCovered(counted, balances);
        const coveredReason = covered === null ? undecidedReason(counted, balances, list) : null;
        return { ...shown, coverage: list, covered, coveredReason, costs: due.totals };
      });
    },

    /** The time until which the balances cover the renewals, or why that cannot be decided. */
    async coversRenewals(balances: Balances, hidesCosts: boolean) {
      const list = await lists.list();
      const now = clock.now();
      const { until, undecided } = await coveredUntil(now, balances, (days) =>
        inTurn(() => renewalsWithin(list, { days, now }, hidesCosts ? renewalPrice : renewalCost)),
      );
      return { until, reason: undecided && undecidedReason(undecided, balances, list) };
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
          inTurn(async (): Promise<readonly PricedMonth[]> => {
            const now = clock.now();
            const due = await counts.renewals(now, months, renewalCost);
            const shown = quotes.areRetail ? await counts.renewals(now, months, renewalPrice) : due;
            return shown.map((month, at) => ({ ...month, costs: due[at]?.totals ?? [] }));
          }),
      };
    },
  };
}

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
