import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import type { Money } from '../../kernel/money.ts';
import { builder } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import { costField } from './cost-schema.ts';

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
