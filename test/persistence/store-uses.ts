import type { Database } from '../../src/persistence/tables.ts';
import { customerUses, jobUses, purchaseUses } from './core-uses.ts';
import {
  approvalUses,
  auditUses,
  calendarUses,
  customerListUses,
  domainWriteUses,
  eventUses,
  handleUses,
  ledgerUses,
  paymentUses,
  profileUses,
  resolutionUses,
  webhookUses,
} from './feature-uses.ts';
import type { StoreUses } from './uses.ts';

/** All stores of the journal by name, with uses of each function. */
export const usesOfStores = (database: Database): Readonly<Record<string, StoreUses>> => ({
  purchases: purchaseUses(database),
  jobs: jobUses(database),
  customers: customerUses(database),
  audit: auditUses(database),
  events: eventUses(database),
  domainWrites: domainWriteUses(database),
  approvals: approvalUses(database),
  payments: paymentUses(database),
  webhooks: webhookUses(database),
  ledger: ledgerUses(database),
  profiles: profileUses(database),
  calendar: calendarUses(database),
  customerList: customerListUses(database),
  handles: handleUses(database),
  resolutions: resolutionUses(database),
});

/** One use of a store. A read leaves the tables as they are. */
export interface Use {
  readonly name: string;
  readonly isRead: boolean;
  readonly run: () => Promise<unknown>;
}

/** The uses of all stores, reads first. A write comes after those that need the rows that it deletes. */
export function usesOf(database: Database): readonly Use[] {
  const stores = Object.entries(usesOfStores(database));
  const some = (kind: 'reads' | 'writes') =>
    stores.flatMap(([store, uses]) =>
      Object.entries(uses[kind]).map(([name, run]) => ({
        ...{ name: `${store}.${name}`, isRead: kind === 'reads', run },
      })),
    );
  return [...some('reads'), ...some('writes')];
}
