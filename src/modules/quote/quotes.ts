import { Fault, valueOr } from '../../kernel/faults.ts';
import type { Money, PricedItem, PriceOperation, RetailBasis } from '../../kernel/money.ts';
import type { Clock } from '../../lib/clock.ts';
import { several } from '../../lib/text.ts';
import { type PriceList, retailPrices } from '../../scope/hooks.ts';
import { perReads } from '../../scope/reads.ts';
import { perTenant } from '../../scope/tenant.ts';
import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import {
  type CostQuote,
  costOfRegistration,
  costOfTld,
  firstPrice,
  listedRenewal,
  type Offered,
  type WithoutPrice,
  withoutPrice,
} from './quote.ts';

/** The prices of a customer for one period, with their costs. `maxPrice` uses `highest`. */
export interface Quote extends CostQuote {
  /** Null when it is not known, and for no name in particular. */
  readonly premium: boolean | null;
  /** Charged by the registrar. Spend limits and balance checks use `highest`. */
  readonly cost: Pick<CostQuote, 'lowest' | 'highest' | 'renewalPrice'>;
  /** How `highest` was computed; null when it is the cost. */
  readonly basis: RetailBasis | null;
}

/** A row of the price list. */
export interface PricedRow extends Omit<TldPrice, 'price'> {
  /** Null without a retail price. */
  readonly price: Money | null;
  readonly cost: Money;
}

export type Quotes = ReturnType<typeof createQuotes>;

/** Of no name: premium names have prices of their own. */
const listed = (tld: string, operation: PriceOperation, period: number): PricedItem => ({
  ...{ tld, operation, period, premium: false },
});

/** Computes all prices of a tenant. `listNow` returns the price list in force; null when customers pay the cost. */
export function createQuotes(listNow: () => PriceList | null, clock: Pick<Clock, 'now'>) {
  /** Null without a price. */
  const retail = (list: PriceList, item: PricedItem, cost: Money | null) => {
    const found = cost && list.retail(item, cost, clock.now());
    return typeof found === 'string' ? null : found;
  };
  const priceOf = (item: PricedItem, cost: Money | null): Money | null => {
    const list = listNow();
    return list ? (retail(list, item, cost)?.price ?? null) : cost;
  };
  const renewalOf = (tld: string, cost: Money | null) => priceOf(listed(tld, 'RENEWAL', 1), cost);

  const toQuote = (
    { lowest, highest, renewalPrice, ...facts }: CostQuote,
    item: Omit<PricedItem, 'period'>,
  ): Omit<Quote, 'premium'> => {
    const cost = { lowest, highest, renewalPrice };
    const list = listNow();
    if (!list) return { ...facts, ...cost, cost, basis: null };
    const { period } = facts;
    const one = { ...item, period };
    const [low, high] = [retail(list, one, lowest), retail(list, one, highest)];
    const shown = { ...facts, renewalPrice: renewalOf(item.tld, renewalPrice), cost };
    if (low && high && low.price.currency === high.price.currency) {
      const { price, ...basis } = high;
      const isOne = low.price.amount.compare(price.amount) === 0;
      const certainty = isOne ? 'LISTED' : 'ESTIMATED';
      return { ...shown, certainty, lowest: low.price, highest: price, basis };
    }
    const none = { ...shown, lowest: null, highest: null, basis: null };
    if (!highest) return none;
    const reason = `The gateway has no price for ${several(period, 'year')} of .${item.tld}.`;
    return { ...none, certainty: 'UNKNOWN', reason };
  };

  return {
    /** The price list in force; null when customers pay the cost. */
    get list(): PriceList | null {
      return listNow();
    },
    /** Whether prices may differ from costs, which are confidential then. */
    get areRetail(): boolean {
      return listNow() !== null;
    },
    /** Whether nothing has a price. */
    get areNone(): boolean {
      return listNow()?.isEmpty ?? false;
    },
    priceOf,
    /** By the price list, for no name in particular. Without a period: for the shortest that is listed. */
    ofTld: (tld: TldDetails, operation: PriceOperation, years: number | null = null): Quote => ({
      ...toQuote(costOfTld(tld, operation, years), { tld: tld.name, operation, premium: false }),
      premium: null,
    }),
    /** Of a name. Without a period: for the shortest that can be bought. */
    ofRegistration(tld: TldDetails | null, offered: Offered, years: number | null = null): Quote {
      const premium = valueOr(offered.offer?.premium ?? null, null);
      const item = { tld: tld?.name ?? '', operation: 'REGISTRATION', premium } as const;
      return { ...toQuote(costOfRegistration(tld, offered, years), item), premium };
    },
    /** A quote without any cost. */
    without: (facts: WithoutPrice): Quote => ({
      ...toQuote(withoutPrice(facts), { tld: '', operation: 'OTHER', premium: false }),
      premium: null,
    }),
    /** The price of the shortest registration; null when none is listed. */
    firstPrice(tld: TldDetails): Money | null {
      const first = firstPrice(tld);
      return first && priceOf(listed(tld.name, 'REGISTRATION', first.period), first.price);
    },
    /** The price of renewing for one year; null when none is listed. */
    renewalPrice: (tld: TldDetails): Money | null => renewalOf(tld.name, listedRenewal(tld)),
    /** Null for a row whose price cannot be read. */
    row({ name }: TldDetails, { price: cost, ...row }: TldPrice): PricedRow | null {
      if (cost instanceof Fault) return null;
      return { ...row, cost, price: priceOf(listed(name, row.operation, row.period), cost) };
    },
  };
}

/** The prices of a tenant: those of customers, and those of callers who may know costs. */
export const tenantPricing = perTenant('tenantPricing', ({ facts: { clock }, use }) => {
  const { current, missing } = use(retailPrices);
  const retail = createQuotes(current, clock);
  // Without prices those who may know costs buy at cost. A job buys for the price of its quote.
  return { retail, withCosts: missing === null ? retail : createQuotes(() => null, clock) };
});

/** The prices that the caller pays. */
export const pricing = perReads('pricing', ({ tenant, knowsCosts }): Quotes => {
  const { retail, withCosts } = tenant.use(tenantPricing);
  return knowsCosts ? withCosts : retail;
});
