import { invalidInput, valueOr } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Quotes } from '../quote/quotes.ts';
import type { SearchResult } from './result.ts';
import { maxSearchNames, type ResultFilter, type SearchSize } from './size.ts';

/** Conditions for results; every given condition must be met. */
export interface SearchFilter extends ResultFilter {
  readonly maxPrice?: Money | null | undefined;
  readonly maxRenewalPrice?: Money | null | undefined;
}

const maxSuggestions = 20;

/** @throws Fault `INVALID_INPUT` for a count that is out of bounds. */
export function checkCounts({ first, suggestions }: Omit<SearchSize, 'labels'>): void {
  checkCount('first', first, 1, maxSearchNames);
  checkCount('suggestions', suggestions, 0, maxSuggestions);
}

function checkCount(
  name: string,
  count: number | null | undefined,
  minimum: number,
  maximum: number,
) {
  if (typeof count !== 'number' || (count >= minimum && count <= maximum)) return;
  throw invalidInput(`"${name}" must be between ${minimum} and ${maximum}; it is ${count}.`, {
    facts: { minimum, maximum },
    path: [name],
  });
}

/** Whether, by the price list, a name under this TLD may meet the price conditions. */
export function mayFit(
  tld: TldDetails,
  { maxPrice, maxRenewalPrice }: SearchFilter,
  quotes: Quotes,
): boolean {
  const price = quotes.firstPrice(tld);
  // Without a listed price the offer decides; a renewal has no other price than the listed one.
  return (
    (!maxPrice || price === null || isWithin(price, maxPrice)) &&
    (!maxRenewalPrice || isWithin(quotes.renewalPrice(tld), maxRenewalPrice))
  );
}

/** Whether a result meets the filter. An unknown premium flag meets it; an unknown price does not. */
export function fits(result: SearchResult, filter: SearchFilter): boolean {
  const { state, offer } = result.availability;
  const { available, premium, maxPrice, maxRenewalPrice } = filter;
  const isFree = state === 'AVAILABLE';
  if (typeof available === 'boolean' && available !== isFree) return false;
  if (typeof premium === 'boolean' && offer && valueOr(offer.premium, premium) !== premium)
    return false;
  if (!isFree) return true;
  return (
    (!maxPrice || isWithin(result.quote.highest, maxPrice)) &&
    (!maxRenewalPrice || isWithin(result.renewalPrice, maxRenewalPrice))
  );
}

const isWithin = (price: Money | null, most: Money): boolean =>
  price !== null && price.currency === most.currency && price.amount.compare(most.amount) <= 0;
