import { Decimal, type PricedItem } from '../../src/kernel/money.ts';
import type { PriceList } from '../../src/scope/hooks.ts';

/** A price list where the price of an item is its cost times a factor. */
export const priceListBy = (factorOf: (item: PricedItem) => string = () => '2'): PriceList => ({
  isEmpty: false,
  retail: (item, cost) => ({
    ...{ rule: 1, rate: null },
    price: { ...cost, amount: cost.amount.times(Decimal.parse(factorOf(item))) },
  }),
});
