import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { type Availability, offeredPrice } from '../availability/check.ts';
import { type CheckedName, toCheckedName } from '../availability/checked-name.ts';
import { type Quote, renewalOf } from '../quote/quote.ts';
import { totalsOf } from './prices.ts';

/** A name to be asked about, or one of which it is known beforehand that it cannot be had. */
export interface Candidate {
  readonly name: DomainName;
  /** Null when it is not sold. */
  readonly tld: TldDetails | null;
  /** Whether the caller named its TLD: then an INVALID name is a result too, otherwise it is left out. */
  readonly named: boolean;
  /** Whether the search thought of it by itself. */
  readonly suggested: boolean;
  /** Why it is not asked about; null when it is. */
  readonly refusal: Fault | null;
}

/** What the search found out about a name. */
export interface SearchResult {
  readonly name: DomainName;
  readonly availability: CheckedName;
  readonly tld: TldDetails | null;
  readonly suggested: boolean;
  /** Where in the plan it stands. */
  readonly position: number;
  /** As the service offers it; null unless the name is free. */
  readonly price: Money | null;
  /** For one more year; null where the price list does not tell, or does not hold. */
  readonly renewalPrice: Money | null;
  readonly totals: readonly Quote[];
}

export function toResult(
  candidate: Candidate,
  position: number,
  availability: Availability,
): SearchResult {
  const { name, tld, suggested } = candidate;
  return {
    name,
    availability: toCheckedName(availability),
    tld,
    suggested,
    position,
    price: offeredPrice(availability),
    renewalPrice: tld && renewalOf(tld, availability),
    totals: totalsOf(tld, availability),
  };
}
