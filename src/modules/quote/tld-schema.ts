import { publicType } from '../../kernel/schema-extensions.ts';
import { builder, type QueryArgBuilder } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import { PriceOperationRef, TldRef } from '../tld/schema.ts';
import type { PricedRow } from './quotes.ts';
import { costField, periodArg, QuoteRef } from './schema.ts';
import { quotes } from './service.ts';

const TldPriceRef = builder.objectRef<PricedRow>('TldPrice').implement({
  description: 'Price of one operation for one period under a TLD.',
  extensions: publicType,
  fields: (t) => ({
    ...requiredFields(t, PriceOperationRef, { operation: 'Operation that the price is for.' }),
    ...requiredFields(t, 'String', {
      upstreamOperation: 'The raw name of the operation, such as `registration` or `setup`.',
    }),
    ...requiredFields(t, 'Int', {
      period: 'Number of years that the price covers; 0 when the list has none.',
    }),
    ...nullableFields(t, MoneyRef, {
      price:
        'For the whole period; null when the gateway has no price for it. 0.0000 is a real price.',
    }),
    cost: costField(
      t,
      MoneyRef,
      'What the registrar charges for the whole period.',
      ({ cost }) => cost,
    ),
  }),
});

const operationArg = (t: { readonly arg: QueryArgBuilder }) => ({
  operation: t.arg({
    type: PriceOperationRef,
    required: true,
    description: 'Operation that the price is for.',
  }),
});

builder.objectFields(TldRef, (t) => ({
  prices: t.field({
    type: [TldPriceRef],
    nullable: false,
    description:
      'The rows of the price list, for a table of prices. A price that is not listed, or cannot be read, is absent, never 0.',
    args: {
      operation: t.arg({
        type: PriceOperationRef,
        description: 'Only prices of this operation.',
      }),
      period: t.arg.int({ description: 'Only prices for this number of years.' }),
    },
    resolve: (tld, { operation, period }, { use }) => {
      const rows = tld.prices.filter(
        (row) =>
          (!operation || row.operation === operation) &&
          (typeof period !== 'number' || row.period === period),
      );
      return [...use(quotes).rows(tld, rows)];
    },
  }),
  price: t.field({
    type: TldPriceRef,
    description:
      'One row of the price list; null when none is listed for this operation and period. Use it for a single listed price, and `quote` for what a period costs.',
    args: { ...operationArg(t), ...periodArg(t, 'listed period') },
    resolve: (tld, { operation, period = null }, { use }) =>
      use(quotes).listed(tld, operation, period),
  }),
  quote: t.field({
    type: QuoteRef,
    nullable: false,
    description:
      'What an operation costs for a period, by the price list and without a name. Only registrations, transfers and renewals are estimated when the period is not listed.',
    args: { ...operationArg(t), ...periodArg(t, 'listed period') },
    resolve: (tld, { operation, period }, { use }) => use(quotes).ofTld(tld, operation, period),
  }),
}));
