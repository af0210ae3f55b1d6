import { notRenewed } from '../../kernel/domain-state.ts';
import { asFault, Fault, type FieldResult, unwrap, valueOr } from '../../kernel/faults.ts';
import type { Money, PriceOperation } from '../../kernel/money.ts';
import { perRequest } from '../../scope/scope.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import { type Above, type TldReads, tldReads } from '../tld/loader.ts';
import { type CheckedOffer, listedPeriod, offeredPeriod } from './quote.ts';
import { type PricedRow, pricing, type Quote, type Quotes } from './quotes.ts';

/** Quotes for fields; all of a request share one `tldlist`. */
export const createQuoteService = (quotes: Quotes, tlds: Pick<TldReads, 'above' | 'tldOf'>) => ({
  ofTld: quotes.ofTld,

  /** A row whose price cannot be read is left out. */
  rows: (tld: TldDetails, rows: readonly TldPrice[]): readonly PricedRow[] =>
    rows.flatMap((row) => quotes.row(tld, row) ?? []),

  /**
   * A row of the price list; null when it has none. Without a period: that of the shortest listed period.
   *
   * @throws Fault when its price cannot be read.
   */
  listed(tld: TldDetails, operation: PriceOperation, period: number | null): PricedRow | null {
    const years = period ?? listedPeriod(tld, operation);
    const found = tld.prices.find(
      (one) => one.operation === operation && (years === null || one.period === years),
    );
    if (found?.price instanceof Fault) throw found.price;
    return found ? quotes.row(tld, found) : null;
  },

  /**
   * The price of the offer of an available name; null without one. A promise only with retail prices, before the first `tldlist`.
   *
   * @throws Fault when the offer, or then the catalogue, cannot be read.
   */
  offered(checked: CheckedOffer): Money | null | Promise<Money | null> {
    const { name, state, offer } = checked;
    const cost = state === 'AVAILABLE' ? unwrap(offer?.price ?? null) : null;
    if (!name || !cost || !quotes.areRetail) return cost;
    if (quotes.areNone) return null;
    const priceIn = (tld: TldDetails | null) => tld && shopPrice(quotes, tld, checked, cost);
    const tld = tlds.tldOf(name);
    return tld instanceof Promise ? tld.then(priceIn) : priceIn(tld);
  },

  /** The years that the price of an available name covers; null also when the catalogue cannot be read. */
  async offeredPeriod(checked: CheckedOffer): Promise<FieldResult<number | null>> {
    const { name, state, offer } = checked;
    if (name === null || state !== 'AVAILABLE') return null;
    if (offer?.period instanceof Fault) return offer.period;
    const above = await Promise.resolve(tlds.above(name)).catch(asFault);
    return above && !(above instanceof Fault) ? offeredPeriod(above.tld, checked) : null;
  },

  /** NOT_SOLD also when the TLD does not accept the label, and UNKNOWN when the catalogue cannot be read. */
  ofRegistration(checked: CheckedOffer, period: number | null): Quote | Promise<Quote> {
    const { name, state, fault } = checked;
    const quoteUnder = (above: Above | null): Quote => {
      if (!above?.labelFault) return quotes.ofRegistration(above?.tld ?? null, checked, period);
      // A name that was checked has one reason.
      const reason = ((state === 'INVALID' && fault) || above.labelFault).message;
      return quotes.without({ period: period ?? 1, certainty: 'NOT_SOLD', reason });
    };
    const above = name && tlds.above(name);
    if (!(above instanceof Promise)) return quoteUnder(above);
    return above.then(quoteUnder, (error) =>
      quotes.without({ period: period ?? 1, certainty: 'UNKNOWN', reason: asFault(error).message }),
    );
  },

  /** @throws Fault when the catalogue cannot be read. */
  async ofRenewal(
    { name, state }: Pick<DomainDetails, 'name' | 'state'>,
    period: number | null,
  ): Promise<Quote> {
    const above = await tlds.above(name);
    const years = period ?? 1;
    if (!above) {
      const reason = 'The price list does not have the TLD of the domain.';
      return quotes.without({ period: years, certainty: 'UNKNOWN', reason });
    }
    if (!notRenewed.has(state)) return quotes.ofTld(above.tld, 'RENEWAL', period);
    const reason = `A domain in the state ${state} cannot be renewed.`;
    return quotes.without({ period: years, certainty: 'NOT_SOLD', reason });
  },
});

/** The price of an offer with this cost; null when its period is not known. */
function shopPrice(quotes: Quotes, tld: TldDetails, { offer }: CheckedOffer, cost: Money) {
  const period = valueOr(offeredPeriod(tld, { offer }), null);
  const premium = valueOr(offer?.premium ?? null, null);
  const item = { tld: tld.name, operation: 'REGISTRATION', premium } as const;
  return period === null ? null : quotes.priceOf({ ...item, period }, cost);
}

export const quotes = perRequest('quotes', ({ use }) =>
  createQuoteService(use(pricing), use(tldReads)),
);
