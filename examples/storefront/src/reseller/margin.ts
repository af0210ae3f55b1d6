import type { Money } from '../shared/money.ts';

/** The share of the price that stays with the reseller, such as `margin 24.7 % of the price`. Amounts of two currencies have none. */
export function marginText(price: Money, cost: Money): string {
  const share = (Number(price.amount) - Number(cost.amount)) / Number(price.amount);
  if (price.currency !== cost.currency || !Number.isFinite(share)) return 'margin not known';
  // A share, not an amount: rounding it for the eye loses no money.
  return `margin ${(share * 100).toFixed(1)} % of the price`;
}
