import { builder, enumRef, type QueryArgBuilder } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { Quote, QuoteCertainty } from './quote.ts';

const QuoteCertaintyRef = enumRef<QuoteCertainty>(
  'QuoteCertainty',
  'Whether a price is listed, estimated or unknown before the purchase.',
  {
    LISTED: 'The price list or the availability check has a price for this period.',
    ESTIMATED:
      'The price list has no price for this period. The price is between `lowest` and `highest`. One is the price of the first period, multiplied. The other is that price once, with renewals for the other years.',
    UNKNOWN: 'The price cannot be computed. A purchase is refused with `PRICE_UNAVAILABLE`.',
  },
);

/** The argument of a quote. */
export const periodArg = (t: { readonly arg: QueryArgBuilder }) => ({
  period: t.arg.int({ required: true, defaultValue: 1, description: 'Number of years.' }),
});

export const QuoteRef = builder.objectRef<Quote>('Quote').implement({
  description:
    'The price of a whole period. Search, availability, dry runs and purchases use the same quotes.',
  fields: (t) => ({
    ...requiredFields(t, 'Int', { period: 'Number of years.' }),
    ...requiredFields(t, QuoteCertaintyRef, {
      certainty: 'Whether the price is listed, estimated or unknown.',
    }),
    ...nullableFields(t, MoneyRef, {
      lowest: 'The lowest price of the whole period; null when `certainty` is UNKNOWN.',
      highest:
        'The highest price of the whole period; null when `certainty` is UNKNOWN. `maxPrice`, spend limits and the balance check use it.',
      renewal:
        'The listed price of renewing for one year; null when none is listed, and for a premium name.',
    }),
  }),
});
