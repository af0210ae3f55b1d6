import type { Ledger } from '../ledger.ts';

/** A ledger without domains, for tests of parts that do not use it. */
export const noLedger: Ledger = {
  record: async () => ({ leftOut: [], isRecorded: true }),
  names: async () => new Set(),
  known: async () => [],
  save: async () => undefined,
  import: async () => 0,
  addPurchased: async () => undefined,
  addAllPurchased: async () => undefined,
  recordWrite: () => undefined,
};
