import { valueOr } from '../../kernel/field-result.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Availability } from '../availability/check.ts';
import { type Quote, quoteRegistration, unknownQuote } from '../quote/quote.ts';
import { listedPrice } from '../tld/loader.ts';

const totalYears = [1, 3, 5, 10];

/** Years of the shortest registration. */
const firstPeriod = (tld: TldDetails): number => Math.max(1, valueOr(tld.minPeriod, 1));

/** The listed price of the shortest registration; null when the list has none, or it cannot be read. */
export const firstPrice = (tld: TldDetails): Money | null =>
  valueOr(listedPrice(tld, 'REGISTRATION', firstPeriod(tld)), null);

/** Quotes for registering the name for 1, 3, 5 and 10 years. */
export const totalsOf = (tld: TldDetails | null, availability: Availability): readonly Quote[] =>
  totalYears.map((years) =>
    tld ? quoteRegistration(tld, availability, years) : unknownQuote(years),
  );
