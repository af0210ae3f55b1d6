import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import type { Scope } from '../scope.ts';
import { createTable, type Table, type TableColumns } from './table.ts';

interface PriceRow extends TldPrice {
  readonly tld: string;
}

const columns: TableColumns<PriceRow> = {
  tld: ({ tld }) => tld,
  operation: ({ operation }) => operation,
  period: ({ period }) => period,
  amount: ({ price }) => (price instanceof Error ? price : price.amount),
  currency: ({ price }) => (price instanceof Error ? price : price.currency),
  upstreamOperation: ({ upstreamOperation }) => upstreamOperation,
};

function* pricesOf(tlds: readonly TldDetails[]): Generator<PriceRow> {
  for (const { name, prices } of tlds) for (const price of prices) yield { tld: name, ...price };
}

/** The listed prices of all TLDs, by TLD. */
export async function exportPrices({ loaders, cachedReads, clock }: Scope): Promise<Table> {
  const { tlds, complete } = await loaders.tlds.catalogue();
  const byName = tlds.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const ageMs = Math.max(0, ...cachedReads.map((read) => read.ageMs));
  const asOf = new Date(clock.now().getTime() - ageMs);
  return createTable(columns, pricesOf(byName), { asOf, complete });
}
