import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import { Decimal, isSameMoney, type Money, type PriceOperation } from '../../kernel/money.ts';
import { memoize } from '../../lib/lazy.ts';
import { several } from '../../lib/text.ts';
import type { Offer } from '../../upstream/domain-api/availability-shapes.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';

/**
 * LISTED: the catalogue or the offer names this price. ESTIMATED: derived from other periods. NOT_SOLD: no such order exists.
 * UNKNOWN: the price could not be found out.
 */
export type QuoteCertainty = 'LISTED' | 'ESTIMATED' | 'NOT_SOLD' | 'UNKNOWN';

/** What the registrar charges for one period. Money checks use `highest`. */
export interface CostQuote {
  /** Years. */
  readonly period: number;
  readonly certainty: QuoteCertainty;
  /** Null when the certainty is NOT_SOLD or UNKNOWN, as is `highest`. */
  readonly lowest: Money | null;
  readonly highest: Money | null;
  /** The listed price of renewing for one year; null where none is listed or a premium name has its own. */
  readonly renewalPrice: Money | null;
  /** Why there is no price, in one sentence; null when there is one. */
  readonly reason: string | null;
}

/** A price and the years that it covers. */
interface PeriodPrice {
  readonly period: number;
  readonly price: FieldResult<Money>;
}

type Bounds = Pick<CostQuote, 'certainty' | 'lowest' | 'highest'>;

export interface WithoutPrice extends Pick<CostQuote, 'period'> {
  readonly certainty: 'NOT_SOLD' | 'UNKNOWN';
  readonly reason: string;
  readonly renewalPrice?: Money | null;
}

export const withoutPrice = ({ renewalPrice = null, ...facts }: WithoutPrice): CostQuote => ({
  ...facts,
  lowest: null,
  highest: null,
  renewalPrice,
});

/** The listed price; null when there is none, or none that can be read. */
function listedPrice(tld: TldDetails, operation: PriceOperation, years: number): Money | null {
  const listed = pricesFor(tld, operation).find(({ period }) => period === years);
  return valueOr(listed?.price ?? null, null);
}

export const listedRenewal = (tld: TldDetails): Money | null => listedPrice(tld, 'RENEWAL', 1);

/** The shortest registration with its listed price; null when it has none. */
export function firstPrice(tld: TldDetails) {
  const { minimum: period } = termOf(tld, 'REGISTRATION');
  const price = listedPrice(tld, 'REGISTRATION', period);
  return price && { period, price };
}

/** What an availability check found out about a name. */
export interface Offered {
  readonly state: 'AVAILABLE' | 'TAKEN' | 'INVALID' | 'UNKNOWN';
  readonly offer: Offer | null;
  /** Why there is no usable result; null when there is one. */
  readonly fault: Fault | null;
}

/** The same with its name; null for text that is no name. */
export interface CheckedOffer extends Offered {
  readonly name: DomainName | null;
}

/** The same for one name: null also when it is premium, or may be. */
const renewalOf = (tld: TldDetails, { offer }: Pick<Offered, 'offer'>): Money | null =>
  mayBePremium(offer) ? null : listedRenewal(tld);

const mayBePremium = (offer: Offered['offer']): boolean => valueOr(offer?.premium ?? true, true);

/**
 * What the catalogue says an operation costs. Without a period: for the shortest that is listed.
 *
 * Only registrations, transfers and renewals are estimated. OTHER is UNKNOWN, since it stands for several prices.
 */
export function costOfTld(
  tld: TldDetails,
  operation: PriceOperation,
  years: number | null = null,
): CostQuote {
  const period = years ?? listedPeriod(tld, operation) ?? termOf(tld, operation).minimum;
  const renewalPrice = listedRenewal(tld);
  const isOrdered = isWithinTerm(tld, operation, period);
  if (!isOrdered && hasTerm(operation)) {
    const reason = periodRule(tld, operation, period);
    return withoutPrice({ period, certainty: 'NOT_SOLD', reason, renewalPrice });
  }
  const listed = operation === 'OTHER' ? [] : pricesFor(tld, operation);
  const bounds = boundsOf(period, listed, isOrdered ? pricesFor(tld, 'RENEWAL') : []);
  if (bounds) return { period, ...bounds, renewalPrice, reason: null };
  const reason = unpriced(tld, period);
  return withoutPrice({ period, certainty: 'UNKNOWN', reason, renewalPrice });
}

/** The shortest listed period that is sold, which is 0 for some transfers; null when no price is listed or can be read. */
export function listedPeriod(tld: TldDetails, operation: PriceOperation): number | null {
  const periods = readable(pricesFor(tld, operation))
    .map(({ period }) => period)
    .filter((period) => !hasTerm(operation) || isWithinTerm(tld, operation, period));
  return periods.length > 0 ? Math.min(...periods) : null;
}

/**
 * What registering a name costs: by the catalogue and by the price of its availability check, which holds for one period
 * only. A premium name has no price but that one. A price of the check that cannot be read may be any price. A period that
 * the TLD does not sell has no price. Without a period: for the shortest that can be bought.
 */
export function costOfRegistration(
  tld: TldDetails | null,
  availability: Offered,
  years: number | null = null,
): CostQuote {
  const { state, fault } = availability;
  if (!tld) {
    const refusal = state === 'INVALID' ? fault : null;
    const reason = (refusal ?? new Fault('TLD_UNSUPPORTED')).message;
    return withoutPrice({ period: years ?? 1, certainty: 'NOT_SOLD', reason });
  }
  const key = keyOf(availability, years);
  if (key === null) return costUnder(tld, availability, years);
  const known = ordinaryCosts(tld);
  const found = known.get(key);
  if (found) return found;
  if (known.size === maxOrdinaryCosts) known.clear();
  const cost = costUnder(tld, availability, years);
  known.set(key, cost);
  return cost;
}

/** More than an upstream with one price for each period has. */
const maxOrdinaryCosts = 50;

/** The costs of names without a price of their own. */
const ordinaryCosts = memoize((_tld: TldDetails) => new Map<string, CostQuote>());

/** Of all that decides about a cost; null for a name with a price of its own, or without a result. */
function keyOf({ state, offer, fault }: Offered, years: number | null): string | null {
  if (fault) return null;
  if (state !== 'AVAILABLE') return `${state} ${years} ${mayBePremium(offer)}`;
  if (!offer || mayBePremium(offer)) return null;
  const { period, price } = offer;
  if (period instanceof Fault || price instanceof Fault) return null;
  return `${years} ${period} ${price?.amount} ${price?.currency}`;
}

function costUnder(tld: TldDetails, availability: Offered, years: number | null): CostQuote {
  const { state, fault } = availability;
  const period = years ?? shortestPeriod(tld, availability);
  const renewalPrice = renewalOf(tld, availability);
  const without = (certainty: WithoutPrice['certainty'], reason: string) =>
    withoutPrice({ period, certainty, reason, renewalPrice });
  if (state !== 'AVAILABLE') {
    const reason = (fault ?? new Fault('NOT_AVAILABLE')).message;
    return without(state === 'UNKNOWN' ? 'UNKNOWN' : 'NOT_SOLD', reason);
  }
  if (!isWithinTerm(tld, 'REGISTRATION', period)) {
    return without('NOT_SOLD', periodRule(tld, 'REGISTRATION', period));
  }
  const bounds = boundsOfName(tld, availability, period);
  if (bounds) return { period, ...bounds, renewalPrice, reason: null };
  return without('UNKNOWN', unpricedName(tld, availability, period));
}

/** The shortest period for which an available name can be bought; the shortest that the TLD sells when there is none. */
function shortestPeriod(tld: TldDetails, availability: Offered): number {
  const { minimum, maximum } = termOf(tld, 'REGISTRATION');
  if (availability.state !== 'AVAILABLE') return minimum;
  const last = Math.min(maximum, minimum + maxYears);
  for (let period = minimum; period <= last; period += 1) {
    if (boundsOfName(tld, availability, period)) return period;
  }
  return minimum;
}

/** The price of an available name for a period that the TLD sells; null when it is unknown. */
function boundsOfName(tld: TldDetails, availability: Offered, period: number): Bounds | null {
  const { offer } = availability;
  if (offer?.price instanceof Fault) return null;
  const offered = offeredPrices(tld, availability);
  if (mayBePremium(offer)) return boundsOf(period, offered, []);
  const prices = [...offered, ...pricesFor(tld, 'REGISTRATION')];
  return boundsOf(period, prices, pricesFor(tld, 'RENEWAL'));
}

/** Why an available name has no price for a period that the TLD sells. */
function unpricedName(tld: TldDetails, { offer }: Offered, period: number): string {
  if (offer?.price instanceof Fault) return 'The registrar sent a price that cannot be read.';
  if (!mayBePremium(offer)) return unpriced(tld, period);
  if (!offer?.price) return 'The registrar sent no price for this premium name.';
  const offered = valueOr(offeredPeriod(tld, { offer }), null);
  return offered === null || period === offered
    ? `The registrar offers this premium name at a price that is not for a known period of .${tld.name}.`
    : `The registrar offers this premium name for ${several(offered, 'year')} only.`;
}

const unpriced = (tld: TldDetails, period: number): string =>
  `The price list of .${tld.name} does not determine a price of ${several(period, 'year')}.`;

const pricesFor = (tld: TldDetails, operation: PriceOperation): readonly PeriodPrice[] =>
  tld.prices.filter((price) => price.operation === operation);

/**
 * The years that the price of an availability check covers; null when they are not known.
 *
 * The upstream always writes `Period: 1`. Where the TLD does not sell that, a price that is the listed one of the shortest
 * registration is for that; what another price is for is not known.
 */
export function offeredPeriod(
  tld: TldDetails,
  { offer }: Pick<Offered, 'offer'>,
): FieldResult<number | null> {
  const period = offer?.period ?? null;
  if (!offer || period === null || period instanceof Fault) return period;
  if (isWithinTerm(tld, 'REGISTRATION', period)) return period;
  const first = firstPrice(tld);
  const price = valueOr(offer.price, null);
  const isFirst =
    !mayBePremium(offer) && first !== null && price !== null && isSameMoney(first.price, price);
  return isFirst ? termOf(tld, 'REGISTRATION').minimum : null;
}

/** The price of the availability check; none without its period. */
function offeredPrices(tld: TldDetails, { offer }: Offered): readonly PeriodPrice[] {
  const period = valueOr(offeredPeriod(tld, { offer }), null);
  return offer?.price && period !== null ? [{ period, price: offer.price }] : [];
}

const maxYears = 10;

/** An operation whose periods are bounded. */
type Ordered = 'REGISTRATION' | 'TRANSFER' | 'RENEWAL';

const hasTerm = (operation: PriceOperation): operation is Ordered =>
  operation === 'REGISTRATION' || operation === 'TRANSFER' || operation === 'RENEWAL';

/** The bounds of the years of an order. Those of the TLD are for registrations and transfers. Only a transfer may add no year. */
export function termOf(tld: TldDetails, operation: PriceOperation) {
  const maximum = operation === 'RENEWAL' ? maxYears : valueOr(tld.maxPeriod, maxYears);
  if (operation === 'REGISTRATION') {
    return { minimum: Math.max(1, valueOr(tld.minPeriod, 1)), maximum };
  }
  const listed = operation === 'TRANSFER' ? readable(pricesFor(tld, operation)) : [];
  return { minimum: Math.min(1, ...listed.map(({ period }) => period)), maximum };
}

/** Whether an order of that many years exists: within its bounds, or a listed transfer or renewal. */
export function isWithinTerm(tld: TldDetails, operation: PriceOperation, period: number): boolean {
  if (!hasTerm(operation)) return false;
  const { minimum, maximum } = termOf(tld, operation);
  if (period >= minimum && period <= maximum) return true;
  return operation !== 'REGISTRATION' && listedPrice(tld, operation, period) !== null;
}

/** The sentence that refuses a period outside the bounds. */
export function periodRule(tld: TldDetails, operation: Ordered, period: number): string {
  const { minimum, maximum } = termOf(tld, operation);
  const range = minimum === maximum ? `${minimum}` : `between ${minimum} and ${maximum} years`;
  return `"period" must be ${range} for .${tld.name}; ${period} was given.`;
}

/** Several prices of one period, such as those of the catalogue and of a check, bound the price together. */
function boundsOf(
  period: number,
  prices: readonly PeriodPrice[],
  renewals: readonly PeriodPrice[],
): Bounds | null {
  const listed = prices.filter((one) => one.period === period).map(({ price }) => price);
  const known = listed.flatMap((price) => (price instanceof Fault ? [] : [price]));
  if (known.length < listed.length) return null;
  if (known.length > 0) return between(known, 'LISTED');
  return between(estimates(period, prices, renewals), 'ESTIMATED');
}

/**
 * Everything that the upstream may charge for a period without a price of its own: a multiple of a listed price, or a
 * listed price and renewals for the other years. Which of them it charges is not known before the debit.
 *
 * Empty without renewals that add up to the other years, and when the prices are in different currencies.
 */
function estimates(
  period: number,
  prices: readonly PeriodPrice[],
  renewals: readonly PeriodPrice[],
): readonly Money[] {
  // No multiple of a period of 0 years is another period.
  const inYears = (listed: readonly PeriodPrice[]) =>
    readable(listed).filter((one) => one.period >= 1);
  const first = inYears(prices).filter((one) => one.period < period);
  const further = inYears(renewals);
  const currencies = new Set([...first, ...further].map(({ price }) => price.currency));
  if (currencies.size !== 1) return [];
  const renewed = first.flatMap((one) =>
    further
      .filter((renewal) => (period - one.period) % renewal.period === 0)
      .map((renewal) => {
        const others = multiply(renewal.price, (period - one.period) / renewal.period);
        return { ...others, amount: one.price.amount.plus(others.amount) };
      }),
  );
  if (renewed.length === 0) return [];
  const shortest = Math.min(...first.map((one) => one.period));
  const multiplied = first
    .filter((one) => one.period === shortest || period % one.period === 0)
    .flatMap((one) => {
      const times = period / one.period;
      return [multiply(one.price, Math.floor(times)), multiply(one.price, Math.ceil(times))];
    });
  return [...multiplied, ...renewed];
}

const readable = (prices: readonly PeriodPrice[]) =>
  prices.flatMap(({ period, price }) => (price instanceof Fault ? [] : [{ period, price }]));

const multiply = (price: Money, times: number): Money => ({
  ...price,
  amount: price.amount.times(Decimal.parse(String(times))),
});

/** Null without a price or when currencies differ. Prices that differ for one period are no longer LISTED. */
function between(prices: readonly Money[], certainty: QuoteCertainty): Bounds | null {
  const [lowest, ...others] = prices.toSorted(byAmount);
  if (!lowest || others.some(({ currency }) => currency !== lowest.currency)) return null;
  const highest = others.at(-1) ?? lowest;
  const isOne = lowest.amount.compare(highest.amount) === 0;
  return { certainty: isOne ? certainty : 'ESTIMATED', lowest, highest };
}

const byAmount = (one: Money, other: Money) => one.amount.compare(other.amount);
