import { notRenewed } from '../../kernel/domain-state.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import type { FieldResult } from '../../kernel/field-result.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { PriceOperation, TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { CheckedName } from '../availability/loader.ts';
import type { TldReads } from '../tld/loader.ts';
import {
  listedPeriod,
  offeredPeriod,
  type Quote,
  quoteRegistration,
  quoteTld,
  withoutPrice,
} from './quote.ts';

/** Quotes for fields; all of a request share one `tldlist`. */
export const createQuoteService = (tlds: Pick<TldReads, 'above'>) => ({
  ofTld: quoteTld,

  /** A row of the price list. Without a period: that of the shortest listed period. */
  listed(tld: TldDetails, operation: PriceOperation, period: number | null) {
    const years = period ?? listedPeriod(tld, operation);
    return tld.prices.find(
      (one) => one.operation === operation && (years === null || one.period === years),
    );
  },

  /** The years that the price of an available name covers; null also when the catalogue cannot be read. */
  async offeredPeriod(checked: CheckedName): Promise<FieldResult<number | null>> {
    const { name, state, offer } = checked;
    if (name === null || state !== 'AVAILABLE') return null;
    if (offer?.period instanceof Fault) return offer.period;
    const above = await tlds.above(name).catch(asFault);
    return above && !(above instanceof Fault) ? offeredPeriod(above.tld, checked) : null;
  },

  /** NOT_SOLD also when the TLD does not accept the label, and UNKNOWN when the catalogue cannot be read. */
  async ofRegistration(checked: CheckedName, period: number | null): Promise<Quote> {
    const { name } = checked;
    const above = name && (await tlds.above(name).catch(asFault));
    const years = period ?? 1;
    if (above instanceof Fault) {
      return withoutPrice({ period: years, certainty: 'UNKNOWN', reason: above.message });
    }
    if (above?.labelFault) {
      return withoutPrice({
        period: years,
        certainty: 'NOT_SOLD',
        reason: above.labelFault.message,
      });
    }
    return quoteRegistration(above?.tld ?? null, checked, period);
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
      return withoutPrice({ period: years, certainty: 'UNKNOWN', reason });
    }
    if (!notRenewed.has(state)) return quoteTld(above.tld, 'RENEWAL', period);
    const reason = `A domain in the state ${state} cannot be renewed.`;
    return withoutPrice({ period: years, certainty: 'NOT_SOLD', reason });
  },
});
