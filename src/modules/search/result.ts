import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import { valueOr } from '../../kernel/field-result.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { type Availability, offeredPrice } from '../availability/check.ts';
import { offeredPeriod, quoteRegistration, renewalOf, unknownQuote } from '../quote/quote.ts';

/** A name to check, or one that is known to be invalid before any check. */
export interface Candidate {
  readonly name: DomainName;
  /** Null when the registrar does not sell it. */
  readonly tld: TldDetails | null;
  /** Whether the client chose its TLD: an INVALID name is then a result, otherwise it is left out. */
  readonly named: boolean;
  /** Whether the gateway suggested it. */
  readonly suggested: boolean;
  /** Why it is not checked; null when it is. */
  readonly refusal: Fault | null;
}

/** The result for one name. */
export type SearchResult = ReturnType<typeof toResult>;

const totalYears = [1, 3, 5, 10];

const offeredYears = (tld: TldDetails, availability: Availability): number | null =>
  valueOr(offeredPeriod(tld, availability), null);

/** `position` is that of the candidate in the plan. */
export const toResult = (
  { name, tld, suggested }: Candidate,
  position: number,
  availability: Availability,
) => ({
  name,
  availability,
  tld,
  suggested,
  position,
  /** Null unless the name is available, and when it is not known how many years the price covers. */
  price: tld && offeredYears(tld, availability) === null ? null : offeredPrice(availability),
  /** For one more year; null when the price list has none, or does not apply. */
  renewalPrice: tld && renewalOf(tld, availability),
  totals: totalYears.map((years) =>
    tld ? quoteRegistration(tld, availability, years) : unknownQuote(years),
  ),
});
