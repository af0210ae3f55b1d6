import type { ShapeFromTypeParam, TypeParam } from '@pothos/core';
import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import type { Money } from '../../kernel/money.ts';
import { confidential, publicType } from '../../kernel/schema-extensions.ts';
import {
  builder,
  enumRef,
  type GraphTypes,
  type ObjectFieldBuilder,
  type QueryArgBuilder,
} from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { Scope } from '../../scope/scope.ts';
import type { QuoteCertainty } from './quote.ts';
import type { Quote } from './quotes.ts';

type CostTypes = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** A cost beside its price, or several; null for a caller without the scope. */
export const costField = <Shape, Type extends TypeParam<CostTypes>>(
  t: ObjectFieldBuilder<Shape>,
  type: Type,
  description: string,
  costOf: (
    parent: Shape,
    use: Scope['use'],
  ) =>
    | ShapeFromTypeParam<CostTypes, Type, true>
    | Promise<ShapeFromTypeParam<CostTypes, Type, true>>,
  extensions: Readonly<Record<string, unknown>> = {},
) =>
  t.field({
    type: type as 'String',
    nullable: true,
    description: `${description} Null without the scope \`prices:cost\`.`,
    extensions: { ...confidential, ...extensions },
    resolve: (parent, _args, { caller, use }) =>
      (mayKnowCosts(caller) ? costOf(parent as Shape, use) : null) as never,
  });

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

/** A sum in one currency. */
interface Sum {
  /** Absent when the sum is exact. */
  readonly lowest?: Money;
  readonly highest: Money;
}

/** Sums in one currency each. */
interface Sums {
  /** What customers pay. */
  readonly prices: readonly Sum[];
  /** What the registrar charges. */
  readonly costs: readonly Sum[];
}

interface Total {
  readonly price: Money | null;
  readonly cost: Money | null;
  readonly estimated: boolean;
}

export const TotalRef = builder.objectRef<Total>('Total').implement({
  description: 'The sums in one currency.',
  fields: (t) => ({
    ...nullableFields(t, MoneyRef, {
      price: 'What customers pay at most. Null when nothing has a price in this currency.',
    }),
    cost: costField(
      t,
      MoneyRef,
      'What the registrar charges at most. Null when it charges nothing in this currency.',
      ({ cost }) => cost,
    ),
    ...requiredFields(t, 'Boolean', {
      estimated:
        'Whether `price`, or without one `cost`, may be lower: a quote in it is ESTIMATED. False for an exact sum.',
    }),
  }),
});

/** The totals that the caller may know, one per currency. */
export function totalsFor(caller: Caller, { prices, costs }: Sums): Total[] {
  const shown = mayKnowCosts(caller) ? costs : [];
  const currencies = new Set([...prices, ...shown].map(({ highest }) => highest.currency));
  const sumIn = (sums: readonly Sum[], currency: string) =>
    sums.find(({ highest }) => highest.currency === currency) ?? null;
  return [...currencies].map((currency) => {
    const [price, cost] = [sumIn(prices, currency), sumIn(shown, currency)];
    const sum = price ?? cost;
    return {
      price: price?.highest ?? null,
      cost: cost?.highest ?? null,
      estimated: !!sum?.lowest && sum.lowest.amount.compare(sum.highest.amount) < 0,
    };
  });
}

/** The totals of sums that are exact. */
export const exactTotalsFor = (
  caller: Caller,
  { totals, costs }: { readonly totals: readonly Money[]; readonly costs: readonly Money[] },
): Total[] => {
  const exact = (sums: readonly Money[]) => sums.map((highest) => ({ highest }));
  return totalsFor(caller, { prices: exact(totals), costs: exact(costs) });
};
