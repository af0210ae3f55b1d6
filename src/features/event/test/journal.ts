import { openTestJournal } from '../../../../test/support/empty-journal.ts';
import type { Journal } from '../../../persistence/journal.ts';
import type { Table } from '../../../persistence/table.ts';
import { createLedgerStore } from '../../portfolio/ledger-store.ts';
import { knownDomainsTable } from '../../portfolio/table.ts';
import { createEventStore } from '../store.ts';
import { eventTables } from '../table.ts';
import { createDomainWriteStore } from '../write-store.ts';

/** A journal with the stores of events. */
export const withEvents = (journal: Journal) => ({
  ...journal,
  events: createEventStore(journal.database),
  domainWrites: createDomainWriteStore(journal.database),
  ledger: createLedgerStore(journal.database),
});

export type EventJournal = ReturnType<typeof withEvents>;

export const openEventJournal = async (
  file: string,
  more: readonly Table[] = [],
): Promise<EventJournal> =>
  withEvents(await openTestJournal(file, [...eventTables, knownDomainsTable, ...more]));
