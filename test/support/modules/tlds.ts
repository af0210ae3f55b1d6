import { type TldDetails, tldEntry } from '../../../src/upstream/domain-api/tld-shapes.ts';

interface Changes {
  /** Of the first year; null when none is listed. */
  readonly price?: string | null;
  readonly currency?: string;
  readonly renewal?: string | null;
  readonly renewalCurrency?: string;
  readonly status?: string;
  readonly minchar?: number;
  readonly minperiod?: number;
}

/** A TLD of the price list: for 10 USD a year, unless the test says otherwise. */
export function tldWith(name: string, changes: Changes = {}): TldDetails {
  const { price = '10', currency = 'USD', status = 'Active' } = changes;
  const { minchar = 1, minperiod = 1 } = changes;
  const { renewal = price, renewalCurrency = currency } = changes;
  const entry = {
    ...{ id: 1, tld: name, status, minchar, maxchar: 63, minperiod, maxperiod: 10 },
    pricing: {
      ...(price !== null && { registration: { 1: price } }),
      ...(renewal !== null && { renew: { 1: renewal } }),
    },
    currencies: { registration: currency, renew: renewalCurrency },
  };
  return tldEntry(entry) as TldDetails;
}
