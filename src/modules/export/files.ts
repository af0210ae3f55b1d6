import type { AccessScope } from '../../kernel/caller.ts';
import type { Scope } from '../scope.ts';
import { exportAudit } from './audit.ts';
import { exportDomains } from './domains.ts';
import { exportPrices } from './prices.ts';
import { exportPurchases } from './purchases.ts';
import { csv, type Format, jsonLines, type Table } from './table.ts';

/** A list that callers can download as a file. */
export interface ExportFile {
  /** The caller needs one of these scopes, as for the same data in the graph. */
  readonly needed: readonly AccessScope[];
  /** Upstream calls without cached data. */
  readonly upstreamCalls: number;
  readonly format: Format;
  /** @throws Fault when the list cannot be read. */
  readonly open: (scope: Scope) => Promise<Table>;
}

const domains = { needed: ['domains:read'], upstreamCalls: 1, open: exportDomains } as const;

/** By file name. */
export const exportFiles: Readonly<Record<string, ExportFile>> = {
  'domains.csv': { ...domains, format: csv },
  'domains.jsonl': { ...domains, format: jsonLines },
  'purchases.csv': {
    needed: ['domains:spend', 'ops'],
    upstreamCalls: 0,
    open: exportPurchases,
    format: csv,
  },
  'audit.csv': { needed: ['audit:read'], upstreamCalls: 0, open: exportAudit, format: csv },
  'prices.csv': { needed: ['domains:check'], upstreamCalls: 1, open: exportPrices, format: csv },
};
