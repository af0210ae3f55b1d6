import type { Money } from '../kernel/money.ts';
import type { PricedItem, RetailPrice } from '../kernel/retail-price.ts';
import { tenantHook } from './tenant.ts';

export interface PriceList {
  /** What a customer pays for something with this cost, at a time; a code for why there is no price. */
  retail(item: PricedItem, cost: Money, now: Date): RetailPrice | string;
  /** Whether nothing has a price. */
  readonly isEmpty: boolean;
}

/** The prices of customers. */
export interface RetailPrices {
  /** The price list in force; null when customers pay the cost. */
  readonly current: () => PriceList | null;
  /** Why only callers who may know costs buy, at cost; null when customers have prices. */
  readonly missing: string | null;
}

/** The prices of a gateway without any. */
export const noPrices = (missing: string): RetailPrices => {
  const list = { retail: () => 'NO_PRICES', isEmpty: true };
  return { current: () => list, missing };
};

export const atCost: RetailPrices = { current: () => null, missing: null };

/** By default costs are the prices, but no cost of a registrar that may be real is shown or sold at. */
export const retailPrices = tenantHook<RetailPrices>('retailPrices', ({ facts }) =>
  facts.mayBeReal
    ? noPrices(
        'This gateway has no prices for customers, so that callers without the scope "prices:cost" see no prices and buy nothing.',
      )
    : atCost,
);
