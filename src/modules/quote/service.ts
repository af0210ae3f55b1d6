import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { CheckedName } from '../availability/checked-name.ts';
import type { TldReads } from '../tld/loader.ts';
import { type Quote, quoteRegistration, quoteTld, unknownQuote } from './quote.ts';

/** Quotes for fields; all of a request share one `tldlist`. */
export const createQuoteService = (tlds: TldReads) => ({
  ofTld: quoteTld,

  /** UNKNOWN also when the TLD is not sold, the text is no name or the catalogue cannot be read. */
  async ofRegistration(checked: CheckedName, period: number): Promise<Quote> {
    try {
      const above = checked.domain && (await tlds.above(checked.domain));
      return above ? quoteRegistration(above.tld, checked, period) : unknownQuote(period);
    } catch (error) {
      if (error instanceof Fault) return unknownQuote(period);
      throw error;
    }
  },

  /** @throws Fault when the catalogue cannot be read. */
  async ofRenewal(domain: DomainName, period: number): Promise<Quote> {
    const above = await tlds.above(domain);
    return above ? quoteTld(above.tld, 'RENEWAL', period) : unknownQuote(period);
  },
});
