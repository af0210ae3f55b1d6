import { createQuotes } from '../../src/modules/quote/quotes.ts';

/** Prices without a price list: customers pay the cost. */
export const plainQuotes = createQuotes(() => null, { now: () => new Date(0) });
