import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { type FieldResult, valueOr } from '../../kernel/field-result.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import type { PriceOperation, TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Availability } from '../availability/check.ts';
import type { CheckedName } from '../availability/loader.ts';
import type { TldReads } from '../tld/loader.ts';

/** LISTED: the catalogue or the offer names this price. ESTIMATED: derived from other periods. UNKNOWN: neither. */
export type QuoteCertainty = 'LISTED' | 'ESTIMATED' | 'UNKNOWN';

/** What an order for one period costs. Money checks use `highest`. */
export interface Quote {
  /** Years. */
  readonly period: number;
  readonly certainty: QuoteCertainty;
  /** Null when the certainty is UNKNOWN, as is `highest`. */
  readonly lowest: Money | null;
  readonly highest: Money | null;
  /** The listed price of renewing for one year; null where none is listed or a premium name has its own. */
  readonly renewal: Money | null;
}

/** A price and the years that it covers. */
interface PeriodPrice {
  readonly period: number;
  readonly price: FieldResult<Money>;
}

type Bounds = Pick<Quote, 'certainty' | 'lowest' | 'highest'>;

const unknown: Bounds = { certainty: 'UNKNOWN', lowest: null, highest: null };

export const unknownQuote = (period: number): Quote => ({ period, ...unknown, renewal: null });

/** The listed price; null when there is none, or none that can be read. */
function listedPrice(tld: TldDetails, operation: PriceOperation, years: number): Money | null {
  const listed = pricesFor(tld, operation).find(({ period }) => period === years);
  return valueOr(listed?.price ?? null, null);
}

/** The listed price of renewing for one year. */
export const listedRenewal = (tld: TldDetails): Money | null => listedPrice(tld, 'RENEWAL', 1);

/** The listed price of the shortest registration. */
export const firstPrice = (tld: TldDetails): Money | null =>
  listedPrice(tld, 'REGISTRATION', termOf(tld, 'REGISTRATION').minimum);

/** What an availability check found out about a name. */
type Offered = Pick<Availability, 'state' | 'offer'>;

/** The same for one name: null also when it is premium, or may be. */
export const renewalOf = (tld: TldDetails, { offer }: Offered): Money | null =>
  mayBePremium(offer) ? null : listedRenewal(tld);

const mayBePremium = (offer: Offered['offer']): boolean => valueOr(offer?.premium ?? true, true);

/**
 * What the catalogue says an operation costs.
 *
 * Only registrations, transfers and renewals are estimated. OTHER is UNKNOWN, since it stands for several prices.
 */
export function quoteTld(tld: TldDetails, operation: PriceOperation, period: number): Quote {
  const isOrdered = isWithinTerm(tld, operation, period);
  const isUnpriced = operation === 'OTHER' || (operation === 'REGISTRATION' && !isOrdered);
  const listed = isUnpriced ? [] : pricesFor(tld, operation);
  const renewals = isOrdered ? pricesFor(tld, 'RENEWAL') : [];
  return { period, ...boundsOf(period, listed, renewals), renewal: listedRenewal(tld) };
}

/** The period of a transfer for which the client sets none: the shortest that is listed, which may be 0. */
export function transferPeriod(tld: TldDetails): number {
  const periods = readable(pricesFor(tld, 'TRANSFER')).map(({ period }) => period);
  return periods.length > 0 ? Math.min(...periods) : 1;
}

/**
 * What registering a name costs: by the catalogue and by the price of its availability check, which holds for one period
 * only. A premium name has no price but that one. A price of the check that cannot be read may be any price. A period that
 * the TLD does not sell has no price.
 */
export function quoteRegistration(tld: TldDetails, availability: Offered, period: number): Quote {
  const { state, offer } = availability;
  const renewal = renewalOf(tld, availability);
  const isSold = isWithinTerm(tld, 'REGISTRATION', period);
  if (!isSold || state !== 'AVAILABLE' || offer?.price instanceof Fault)
    return { period, ...unknown, renewal };
  const offered = offeredPrices(tld, availability);
  if (mayBePremium(offer)) return { period, ...boundsOf(period, offered, []), renewal };
  const prices = [...offered, ...pricesFor(tld, 'REGISTRATION')];
  return { period, ...boundsOf(period, prices, pricesFor(tld, 'RENEWAL')), renewal };
}

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
  const isFirst = !mayBePremium(offer) && first !== null && price !== null && isSame(first, price);
  return isFirst ? termOf(tld, 'REGISTRATION').minimum : null;
}

/** The price of the availability check; none without its period. */
function offeredPrices(tld: TldDetails, { offer }: Offered): readonly PeriodPrice[] {
  const period = valueOr(offeredPeriod(tld, { offer }), null);
  return offer?.price && period !== null ? [{ period, price: offer.price }] : [];
}

const maxYears = 10;

/** The bounds of the years of an order. Those of the TLD are for registrations. Only a transfer may add no year. */
export function termOf(tld: TldDetails, operation: 'REGISTRATION' | 'TRANSFER') {
  const maximum = valueOr(tld.maxPeriod, maxYears);
  const minimum =
    operation === 'REGISTRATION'
      ? Math.max(1, valueOr(tld.minPeriod, 1))
      : Math.min(1, transferPeriod(tld));
  return { minimum, maximum };
}

/** Whether an order of that many years exists: a registration or transfer within its bounds, a listed transfer, or a renewal. */
export function isWithinTerm(tld: TldDetails, operation: PriceOperation, period: number): boolean {
  if (operation === 'RENEWAL') return period <= maxYears;
  if (operation !== 'REGISTRATION' && operation !== 'TRANSFER') return false;
  const { minimum, maximum } = termOf(tld, operation);
  if (period >= minimum && period <= maximum) return true;
  return operation === 'TRANSFER' && listedPrice(tld, operation, period) !== null;
}

/** Several prices of one period, such as those of the catalogue and of a check, bound the price together. */
function boundsOf(
  period: number,
  prices: readonly PeriodPrice[],
  renewals: readonly PeriodPrice[],
): Bounds {
  const listed = prices.filter((one) => one.period === period).map(({ price }) => price);
  const known = listed.flatMap((price) => (price instanceof Fault ? [] : [price]));
  if (known.length < listed.length) return unknown;
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

/** UNKNOWN without a price or when currencies differ. Prices that differ for one period are no longer LISTED. */
function between(prices: readonly Money[], certainty: QuoteCertainty): Bounds {
  const [lowest, ...others] = prices.toSorted(byAmount);
  if (!lowest || others.some(({ currency }) => currency !== lowest.currency)) return unknown;
  const highest = others.at(-1) ?? lowest;
  const isOne = lowest.amount.compare(highest.amount) === 0;
  return { certainty: isOne ? certainty : 'ESTIMATED', lowest, highest };
}

const isSame = (one: Money, other: Money): boolean =>
  one.currency === other.currency && byAmount(one, other) === 0;

const byAmount = (one: Money, other: Money) => one.amount.compare(other.amount);

/** Quotes for fields; all of a request share one `tldlist`. */
export const createQuoteService = (tlds: Pick<TldReads, 'above'>) => ({
  ofTld: quoteTld,

  /** The years that the price of an available name covers; null also when the catalogue cannot be read. */
  async offeredPeriod(checked: CheckedName): Promise<FieldResult<number | null>> {
    const { name, state, offer } = checked;
    if (name === null || state !== 'AVAILABLE') return null;
    if (offer?.period instanceof Fault) return offer.period;
    const above = await tlds.above(name).catch(asFault);
    return above && !(above instanceof Fault) ? offeredPeriod(above.tld, checked) : null;
  },

  /** UNKNOWN also when the TLD is not sold or does not accept the label, the text is no name or the catalogue cannot be read. */
  async ofRegistration(checked: CheckedName, period: number): Promise<Quote> {
    const { name } = checked;
    const above = name && (await tlds.above(name).catch(asFault));
    if (!above || above instanceof Fault) return unknownQuote(period);
    return above.labelFault ? unknownQuote(period) : quoteRegistration(above.tld, checked, period);
  },

  /** @throws Fault when the catalogue cannot be read. */
  async ofRenewal(domain: DomainName, period: number): Promise<Quote> {
    const above = await tlds.above(domain);
    return above ? quoteTld(above.tld, 'RENEWAL', period) : unknownQuote(period);
  },
});
