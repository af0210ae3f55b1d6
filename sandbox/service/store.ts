import type { SandboxDatabase } from './database.ts';
import { createDomainStore } from './domain-store.ts';
import { createMoneyStore } from './money-store.ts';

export interface Reseller {
  /** Ours, for references. */
  readonly id: number;
  /** The id in `resellerdetails`; can be -1. */
  readonly shownId: number;
  readonly username: string;
  readonly password: string;
  readonly name: string;
  readonly currency: string;
}

/** The fields of a contact as `registerdomain` takes them. */
export const contactFields = [
  'FirstName',
  'LastName',
  'Company',
  'EMail',
  'AddressLine1',
  'AddressLine2',
  'City',
  'State',
  'ZipCode',
  'Country',
  'Phone',
  'PhoneCountryCode',
] as const;

export type ContactFields = Readonly<Record<(typeof contactFields)[number], string>>;

interface StoredContact {
  readonly id: number;
  readonly reseller: number;
  readonly fields: ContactFields;
}

/** The data of the Account API belongs to a user: the username of a reseller. */
interface Owned {
  readonly id: string;
  readonly user: string;
}

interface StoredCart extends Owned {
  readonly cartDetails: readonly object[];
  readonly total: number;
  /** ISO 8601, as `at` of a log entry. */
  readonly createdAt: string;
}

interface StoredHostingGroup extends Owned {
  readonly hostingGroupName: string;
  readonly hostingGroupDescription: string;
  readonly hostingGroupImage: string;
  readonly updatedAtMs: number;
}

interface LogEntry {
  readonly id: number;
  readonly user: string;
  readonly text: string;
  readonly at: string;
}

export type Store = ReturnType<typeof createStore>;

/** The data of the sandbox. */
export function createStore(database: SandboxDatabase) {
  const { table, transaction } = database;
  return {
    resellers: table<Reseller>('resellers'),
    contacts: table<StoredContact>('contacts'),
    domains: createDomainStore(database),
    money: createMoneyStore(database),
    /** Sessions of the Account API by their token. A user has one. */
    tokens: table<Owned>('tokens'),
    carts: table<StoredCart>('carts'),
    groups: table<StoredHostingGroup>('hosting_groups'),
    logs: table<LogEntry>('logs'),
    transaction,
  };
}
