import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import type { Money } from '../../kernel/money.ts';
import type { Payment } from './checks.ts';

/** The amount of a purchase that the balance, the spend limits and the gate count. */
export type CountedAmount = (payment: Payment) => Money;

export const costOf: CountedAmount = ({ cost }) => cost;

/** The price in the currency of the cost. */
const priceInCostCurrency: CountedAmount = ({ cost, retail }) => {
  if (!retail) return cost;
  const { price, rate } = retail;
  const amount = rate ? price.amount.dividedBy(rate.rate) : price.amount;
  return { amount, currency: cost.currency };
};

/**
 * The amount that counts in a request that sends nothing. For a caller who must not know costs it is the price: the answers
 * to many such requests would disclose the cost otherwise. A purchase that is sent counts the cost.
 */
export const countedInPreview = (caller: Caller): CountedAmount =>
  mayKnowCosts(caller) ? costOf : priceInCostCurrency;
