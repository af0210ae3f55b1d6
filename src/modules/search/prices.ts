import { leafOr } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Availability } from '../availability/check.ts';
import { type Quote, quoteRegistration, unknownQuote } from '../quote/quote.ts';
import { listedPrice } from '../tld/loader.ts';

const totalYears = [1, 3, 5, 10];

/** Years of the shortest registration. */
const firstPeriod = (tld: TldDetails): number => Math.max(1, leafOr(tld.minPeriod, 1));

/** The listed price of the shortest registration; null when there is none, or none that can be read. */
export const firstPrice = (tld: TldDetails): Money | null =>
  leafOr(listedPrice(tld, 'REGISTRATION', firstPeriod(tld)), null);

/** What registering the name for each of some periods costs. */
export const totalsOf = (tld: TldDetails | null, availability: Availability): readonly Quote[] =>
  totalYears.map((years) =>
    tld ? quoteRegistration(tld, availability, years) : unknownQuote(years),
  );
