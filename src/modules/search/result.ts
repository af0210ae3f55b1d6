import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { type Availability, offeredPrice } from '../availability/check.ts';
import { type Quote, quoteRegistration, renewalOf, unknownQuote } from '../quote/quote.ts';

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
export interface SearchResult {
  readonly name: DomainName;
  readonly availability: Availability;
  readonly tld: TldDetails | null;
  readonly suggested: boolean;
  /** Its position in the plan. */
  readonly position: number;
  /** From the offer; null unless the name is available. */
  readonly price: Money | null;
  /** For one more year; null when the price list has none, or does not apply. */
  readonly renewalPrice: Money | null;
  readonly totals: readonly Quote[];
}

const totalYears = [1, 3, 5, 10];

export function toResult(
  candidate: Candidate,
  position: number,
  availability: Availability,
): SearchResult {
  const { name, tld, suggested } = candidate;
  return {
    name,
    availability,
    tld,
    suggested,
    position,
    price: offeredPrice(availability),
    renewalPrice: tld && renewalOf(tld, availability),
    totals: totalYears.map((years) =>
      tld ? quoteRegistration(tld, availability, years) : unknownQuote(years),
    ),
  };
}
