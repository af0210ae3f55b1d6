import { leafOr } from '../../kernel/leaf.ts';
import type { Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { type Availability, offeredPrice } from '../availability/check.ts';
import { listedForYears, listedPrice } from '../tld/loader.ts';

/** What holding a name for so many years costs; null where that cannot be told. */
export interface DomainTotal {
  readonly years: number;
  readonly price: Money | null;
}

const totalYears = [1, 3, 5, 10];

/** Years of the shortest registration. */
const firstPeriod = (tld: TldDetails): number => Math.max(1, leafOr(tld.minPeriod, 1));

/** The listed price of the shortest registration; null when there is none, or none that can be read. */
export const firstPrice = (tld: TldDetails): Money | null =>
  leafOr(listedPrice(tld, 'REGISTRATION', firstPeriod(tld)), null);

/** The listed price of one more year. */
export const listedRenewal = (tld: TldDetails): Money | null =>
  leafOr(listedPrice(tld, 'RENEWAL', 1), null);

/** A premium name has prices of its own, and where that cannot be told, so may this one. */
const isPlain = ({ offer }: Availability): boolean =>
  offer !== null && leafOr(offer.premium, true) === false;

/** Price of one more year; null where the list does not hold or does not tell. */
export const renewalOf = (tld: TldDetails, availability: Availability): Money | null =>
  isPlain(availability) ? listedRenewal(tld) : null;

/** The offer for the first years and, where the list holds, its renewals for the others. */
export function totalsOf(
  tld: TldDetails | null,
  availability: Availability,
): readonly DomainTotal[] {
  return totalYears.map((years) => ({ years, price: tld && totalOf(tld, availability, years) }));
}

function totalOf(tld: TldDetails, availability: Availability, years: number): Money | null {
  const price = offeredPrice(availability);
  if (!price) return null;
  // The service writes `Period: 1` beside a price of two years where a TLD sells nothing shorter.
  const paid = Math.max(leafOr(availability.offer?.period ?? null, null) ?? 1, firstPeriod(tld));
  if (years === paid) return price;
  const renewals =
    years > paid && isPlain(availability) ? listedForYears(tld, 'RENEWAL', years - paid) : null;
  if (renewals?.price.currency !== price.currency) return null;
  return { ...price, amount: price.amount.plus(renewals.price.amount) };
}
