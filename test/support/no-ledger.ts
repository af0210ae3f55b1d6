import type { Ledger } from '../../src/modules/portfolio/ledger.ts';

/** A ledger without domains, for tests of parts that do not use it. */
export const noLedger: Ledger = {
  record: () => undefined,
  whenRecorded: async () => undefined,
  names: async () => new Set(),
  unlisted: async () => [],
  save: async () => undefined,
  import: async () => 0,
  addPurchased: async () => undefined,
  addAllPurchased: async () => undefined,
  recordWrite: () => undefined,
};
