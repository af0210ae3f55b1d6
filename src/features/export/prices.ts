import { mayKnowCosts } from '../../kernel/caller.ts';
import type { FieldResult } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import { pricing, type Quotes } from '../../modules/quote/quotes.ts';
import { tldReads } from '../../modules/tld/loader.ts';
import type { Scope } from '../../scope/scope.ts';
import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import { createTable, plain, type Table, type TableColumns } from './table.ts';

interface PriceRow extends Omit<TldPrice, 'price'> {
  /** Null without a retail price. */
  readonly price: FieldResult<Money | null>;
  readonly cost: FieldResult<Money>;
  readonly tld: string;
}

const columnsFor = (seesCosts: boolean): TableColumns<PriceRow> => ({
  ...plain('tld', 'operation', 'period'),
  amount: ({ price }) => (price instanceof Error ? price : (price?.amount ?? null)),
  currency: ({ price }) => (price instanceof Error ? price : (price?.currency ?? null)),
  upstreamOperation: ({ upstreamOperation }) => upstreamOperation,
  cost: ({ cost }) => (seesCosts ? (cost instanceof Error ? cost : cost.amount) : null),
  costCurrency: ({ cost }) => (seesCosts ? (cost instanceof Error ? cost : cost.currency) : null),
});

function* pricesOf(tlds: readonly TldDetails[], quotes: Quotes): Generator<PriceRow> {
  for (const tld of tlds) {
    for (const row of tld.prices) {
      yield { ...row, cost: row.price, ...quotes.row(tld, row), tld: tld.name };
    }
  }
}

/** The listed prices of all TLDs, by TLD. */
export async function exportPrices({ use, cachedReads, clock, caller }: Scope): Promise<Table> {
  const { tlds, complete } = await use(tldReads).catalogue();
  const byName = tlds.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const ageMs = Math.max(0, ...cachedReads.map((read) => read.ageMs));
  const asOf = new Date(clock.now().getTime() - ageMs);
  return createTable(columnsFor(mayKnowCosts(caller)), pricesOf(byName, use(pricing)), {
    asOf,
    complete,
  });
}
