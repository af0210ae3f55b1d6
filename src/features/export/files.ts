import { type AccessScope, purchaseScopes } from '../../kernel/caller.ts';
import type { Scope } from '../../scope/scope.ts';
import type { ExportParameters } from './parameters.ts';
import { exportPrices } from './prices.ts';
import { exportPurchases } from './purchases.ts';
import { exportStatement } from './statement.ts';
import { csv, type Format, type Table } from './table.ts';

/** A list that callers can download as a file. */
export interface ExportFile {
  /** The caller needs one of these scopes, as for the same data in the graph. */
  readonly needed: readonly AccessScope[];
  /** Upstream calls without cached data. */
  readonly upstreamCalls: number;
  readonly format: Format;
  /** The names of its query parameters. */
  readonly parameters: readonly string[];
  /** @throws Fault when the list cannot be read. */
  readonly open: (scope: Scope, parameters: ExportParameters) => Promise<Table>;
  /** The feature without which it does not exist. */
  readonly with?: string;
}

const purchases = { needed: purchaseScopes, upstreamCalls: 0, format: csv } as const;

/** By file name. */
export const exportFiles: Record<string, ExportFile> = {
  'purchases.csv': { ...purchases, parameters: ['customer'], open: exportPurchases },
  'statement.csv': { ...purchases, parameters: ['month', 'customer'], open: exportStatement },
  'prices.csv': {
    needed: ['domains:check'],
    upstreamCalls: 1,
    parameters: [],
    open: exportPrices,
    format: csv,
  },
};
