import { openTestJournal } from '../../../../test/support/empty-journal.ts';
import type { Journal } from '../../../persistence/journal.ts';
import { createLedgerStore } from '../ledger-store.ts';
import { knownDomainsTable } from '../table.ts';

/** A journal with the store of known domains. */
export const withLedger = (journal: Journal) => ({
  ...journal,
  ledger: createLedgerStore(journal.database),
});

export type LedgerJournal = ReturnType<typeof withLedger>;

export const openLedgerJournal = async (file: string): Promise<LedgerJournal> =>
  withLedger(await openTestJournal(file, [knownDomainsTable]));
