import type { Found } from './use-search.ts';

/** Results by price, those without a price last, or else in the order of the search. */
export function sorted(results: readonly Found[], order: string): readonly Found[] {
  const byPosition = results.toSorted((one, other) => one.position - other.position);
  if (order !== 'price') return byPosition;
  return byPosition.toSorted((one, other) => {
    const [first, second] = [priceOf(one), priceOf(other)];
    if (!first || !second) return Number(!first) - Number(!second);
    // Amounts in different currencies are not compared.
    return (
      first.currency.localeCompare(second.currency) || Number(first.amount) - Number(second.amount)
    );
  });
}

/** The price of a name that can be bought. */
const priceOf = ({ availability: { state, quote } }: Found) =>
  state === 'AVAILABLE' ? quote.highest : null;
