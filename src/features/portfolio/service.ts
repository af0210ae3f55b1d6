import { valueOr } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { Money } from '../../kernel/money.ts';
import type { Balances } from '../../modules/balance/balance.ts';
import { checkNames } from '../../modules/mutation/check-names.ts';
import { asPayload, createChecks } from '../../modules/mutation/checks.ts';
import { listedRenewal } from '../../modules/quote/quote.ts';
import { pricing } from '../../modules/quote/quotes.ts';
import { type TldReads, tldReads } from '../../modules/tld/loader.ts';
import { perRequest } from '../../scope/scope.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { type DomainFilterInput, filterResolver } from './filter-resolver.ts';
import type {
  DomainOrderField,
  DomainPlace,
  DomainSelection,
  PageQuery,
  RenewalPrice,
} from './list-index/portfolio-index.ts';
import { ledger, portfolioReads, snapshot } from './parts.ts';
import type { Portfolio } from './portfolio.ts';
import { areCovered, coveredDays, renewalsWithin, undecidedReason } from './renewals-due.ts';

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

type Filter = DomainFilterInput | null | undefined;

/** The account's domains as one list. The upstream has no pages, so all pages come from one read. */
export const portfolio = perRequest('portfolio', ({ clock, stored, use }) => {
  const lists = use(portfolioReads);
  const quotes = use(pricing);
  const renewalCost = renewalBy(use(tldReads), listedRenewal);
  const renewalPrice = renewalBy(use(tldReads), quotes.renewalPrice);
  /** The list, and which domains of it are selected now. */
  const select = async (input: Filter, refresh = false) => {
    const filter = await use(filterResolver)(input);
    const coverage = await (refresh ? lists.refreshed() : lists.list());
    return { coverage, selection: { filter, now: clock.now() } };
  };
  /** Of many domains each filter and each count takes a few milliseconds, and a request can have many of them. */
  const inTurn = async <T>(compute: () => T | Promise<T>): Promise<T> => {
    await stored.inTurn(async () => undefined);
    return compute();
  };
  const sumsOf = async <T>(sumUp: (priceOf: RenewalPrice) => Promise<T>) => {
    const due = await sumUp(renewalCost);
    return [quotes.areRetail ? await sumUp(renewalPrice) : due, due] as const;
  };
  const within = (list: Portfolio, days: number, selection: DomainSelection) =>
    inTurn(async () => {
      const { now } = selection;
      const until = new Date(now.getTime() + days * dayMs);
      const sums = await sumsOf((priceOf) => renewalsWithin(list, { days, ...selection }, priceOf));
      return asRenewals(list, { from: now, until }, sums);
    });

  return {
    async page(input: Filter, query: PageQuery, refresh: boolean) {
      const { coverage, selection } = await select(input, refresh);
      return { coverage, ...(await inTurn(() => coverage.index.page(selection, query))) };
    },

    async renewalsDue(days: number, input?: Filter): Promise<Renewals> {
      const { coverage, selection } = await select(input);
      return within(coverage, days, selection);
    },

    /** The renewals that the balances cover, or may cover: until the first day whose renewals they do not. */
    async renewalsCovered(balances: Balances, hidesCosts: boolean): Promise<Renewals> {
      const list = await lists.list();
      const now = clock.now();
      const priceOf = hidesCosts ? renewalPrice : renewalCost;
      const { days } = await coveredDays(balances, (some) =>
        inTurn(() => renewalsWithin(list, { days: some, now }, priceOf)),
      );
      return within(list, days, { filter: null, now });
    },

    /** The selected domains, as they are now. */
    async rows(input: Filter, order: DomainOrder) {
      const { coverage, selection } = await select(input);
      return { ...coverage, rows: coverage.index.rows(selection, domainPlace(order)) };
    },

    async count(input: Filter, refresh: boolean) {
      const { coverage, selection } = await select(input, refresh);
      const counts = await inTurn(() => coverage.index.count(selection));
      /** Begins with the current month. */
      const renewals = async (months: number) => {
        const now = clock.now();
        const [shown, due] = await sumsOf((priceOf) => counts.renewals(now, months, priceOf));
        const spanOf = (at: number) => ({
          from: monthAfter(now, at),
          until: monthAfter(now, at + 1),
        });
        return shown.map((one, at) => asRenewals(coverage, spanOf(at), [one, due[at] ?? one]));
      };
      return {
        coverage,
        totalCount: counts.totalCount,
        includes: counts.includes,
        byTld: (limit: number) => inTurn(() => counts.byTld(limit)),
        byState: () => inTurn(counts.byState),
        byNameServer: (limit: number) => inTurn(() => counts.byNameServer(limit)),
        byExpiryMonth: () => inTurn(counts.byExpiryMonth),
        renewals: (months: number) => inTurn(() => renewals(months)),
      };
    },
  };
});

const renewalBy =
  (tlds: TldReads, priceIn: (tld: TldDetails) => Money | null): RenewalPrice =>
  async (name) => {
    const found = await tlds.above(name);
    return found && priceIn(found.tld);
  };

export type DomainStats = Awaited<ReturnType<ReturnType<typeof portfolio.create>['count']>>;

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

/** The start of a month in UTC, counted from that of a time. */
const monthAfter = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));

/** Names of one request. */
const maxTracked = 10_000;

/** Adds domains to those that the gateway knows. */
export const trackedDomains = perRequest('trackedDomains', ({ use }) => ({
  /** A name that occurs twice counts once. Nothing is added when a name is not valid. */
  track: ({ names: texts }: { readonly names: readonly string[] }) =>
    asPayload(async () => {
      const checks = createChecks();
      const found = checkNames(checks, ['input', 'names'], texts, maxTracked);
      checks.finish();
      const names = [...new Set(found)];
      const added = await use(ledger).import(names);
      if (added > 0) await use(snapshot).mergeLedger();
      return { added, alreadyKnown: names.length - added };
    }),
}));

export interface DomainOrder {
  readonly field?: DomainOrderField;
  readonly direction?: 'ASC' | 'DESC';
}

/**
 * The positions of domains in an order: the name of the order, the date or `''`, and the name of the domain. The first
 * part detects a cursor of another order; the last part makes the position unique.
 *
 * A domain without the date is last in both directions.
 */
export function domainPlace({
  field = 'NAME',
  direction = 'ASC',
}: DomainOrder): DomainPlace & { readonly order: string } {
  const order = `${field} ${direction}`;
  const descending = direction === 'DESC';
  const noDate = descending ? '' : '~';
  const dateText = (date: DomainDetails['expiresAt']) =>
    valueOr(date, null)?.toISOString() ?? noDate;
  return {
    order,
    field,
    descending,
    positionOf({ name, expiresAt, registeredAt }) {
      if (field === 'NAME') return [order, '', name];
      return [order, dateText(field === 'EXPIRES_AT' ? expiresAt : registeredAt), name];
    },
  };
}
