import { publicType } from '../../kernel/schema-extensions.ts';
import { builder, enumRef, type QueryArgBuilder } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import { costField } from './cost-schema.ts';
import type { QuoteCertainty } from './quote.ts';
import type { Quote } from './quotes.ts';

const QuoteCertaintyRef = enumRef<QuoteCertainty>(
  'QuoteCertainty',
  'How exactly a price is known before the purchase.',
  {
    LISTED: 'The price list or the availability check has a price for this period.',
    ESTIMATED:
      'The price list has no price for this period. The price is between `lowest` and `highest`. One is the price of the first period, multiplied. The other is that price once, with renewals for the other years.',
    NOT_SOLD:
      'It cannot be bought: the TLD is not sold for this period, or the name is not available. A purchase is refused.',
    UNKNOWN:
      'The price could not be found out: see `Quote.reason`. A purchase is refused with `PRICE_UNAVAILABLE`.',
  },
);

/** The argument of a quote. */
export const periodArg = (t: { readonly arg: QueryArgBuilder }, which: string) => ({
  period: t.arg.int({ description: `Number of years. Default: the shortest ${which}.` }),
});

const QuotedCostRef = builder.objectRef<Quote['cost']>('QuotedCost').implement({
  description: 'What the registrar charges for the period of a quote.',
  fields: (t) =>
    nullableFields(t, MoneyRef, {
      lowest: 'The lowest cost of the whole period; null when it is not known.',
      highest:
        'The highest cost of the whole period; null when it is not known. `maxCost`, spend limits and the balance check use it.',
      renewalPrice: 'The listed cost of renewing for one year; null when none is listed.',
    }),
});

export const QuoteRef = builder.objectRef<Quote>('Quote').implement({
  description:
    'The price of a whole period. Search, availability, dry runs and purchases use the same quotes.',
  extensions: publicType,
  fields: (t) => ({
    ...requiredFields(t, 'Int', { period: 'Number of years.' }),
    ...requiredFields(t, QuoteCertaintyRef, {
      certainty: 'How exactly the price is known.',
    }),
    ...nullableFields(t, MoneyRef, {
      lowest: 'The lowest price of the whole period; null when `certainty` is NOT_SOLD or UNKNOWN.',
      highest:
        'The highest price of the whole period; null when `certainty` is NOT_SOLD or UNKNOWN. `maxPrice` uses it.',
      renewalPrice:
        'The price of renewing for one year; null when none is listed, for a premium name, and when it is unknown whether the name is premium.',
    }),
    ...nullableFields(t, 'Boolean', {
      premium:
        'Whether it is the price of a premium name; null when that is not known, and for a TLD or a transfer.',
    }),
    cost: costField(
      t,
      QuotedCostRef,
      'What the registrar charges, which may differ from the prices.',
      ({ cost }) => cost,
    ),
    ...nullableFields(t, 'String', {
      reason: 'Why there is no price, in one sentence; null when there is one.',
    }),
  }),
});
