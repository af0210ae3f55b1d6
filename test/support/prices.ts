import { Decimal } from '../../src/kernel/money.ts';

/** The prices of `startTestGateway()`: the double of each cost, so that a test notices the wrong one of the two. */
export const doublePrices = new URL('double-prices.json', import.meta.url).pathname;

const two = Decimal.parse('2');

/** The price of something with this cost. */
export const priceOf = (cost: string): string => String(Decimal.parse(cost).times(two));
