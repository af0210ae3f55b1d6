import { type AccountStore, createAccountStore } from './account-store.ts';
import type { Database } from './database.ts';
import { createDomainStore, type DomainStore } from './domain-store.ts';
import { createHostingStore, type HostingStore } from './hosting-store.ts';
import { createMoneyStore, type MoneyStore } from './money-store.ts';

/** The data of the sandbox. */
export interface Store {
  readonly accounts: AccountStore;
  readonly domains: DomainStore;
  readonly money: MoneyStore;
  readonly hosting: HostingStore;
  transaction: Database['transaction'];
}

export const createStore = (database: Database): Store => ({
  accounts: createAccountStore(database),
  domains: createDomainStore(database),
  money: createMoneyStore(database),
  hosting: createHostingStore(database),
  transaction: database.transaction,
});
