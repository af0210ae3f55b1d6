import { invalidInput } from '../../src/kernel/faults.ts';
import { Decimal } from '../../src/kernel/money.ts';
import type { SandboxDatabase } from './database.ts';

/** A child host of the domain with its single address; an empty address is rendered as `[]`. */
export interface Glue {
  readonly ns: string;
  readonly ip: string;
  /** Epoch milliseconds from which the account's view shows it; absent: always. */
  readonly visibleAt?: number;
}

/** A domain of one account. Instants are epoch milliseconds. */
export interface NewDomain {
  readonly reseller: number;
  /** Lower-case ASCII. */
  readonly name: string;
  readonly status: string;
  /** The status at the registry when it differs from the account: one EPP status. */
  readonly registryStatus: string | null;
  readonly authCode: string;
  readonly locked: boolean;
  readonly privacy: boolean;
  readonly startAt: number;
  /** When this account registered it or received it by transfer. */
  readonly heldSince: number;
  readonly expiresAt: number;
  /** When the life cycle changes it next; null for never. */
  readonly nextAt: number | null;
  readonly nameServers: readonly string[];
  readonly glue: readonly Glue[];
  readonly additional: Readonly<Record<string, string>>;
  /** Ids of contacts. */
  readonly registrant: number;
  readonly administrative: number;
  readonly billing: number;
  readonly technical: number;
}

export interface DomainRecord extends NewDomain {
  readonly id: number;
}

/** The members of a domain without anything special; the contact has every role. */
export const plainDomain = (contact: number) => ({
  registryStatus: null,
  locked: false,
  privacy: false,
  glue: [],
  additional: {},
  registrant: contact,
  administrative: contact,
  billing: contact,
  technical: contact,
});

/** The states in which the name is free again. */
const freeStates = ['Deleted', 'PreRegistirationFail'];
/** The states in which this account does not have the domain. */
const lostStates = [
  ...freeStates,
  'TransferredOut',
  'TransferRejectedFromOpposed',
  'TransferCancelledFromClient',
];

function createDomainStore({ table }: SandboxDatabase) {
  const { query, list, find, count, add, save, remove } = table<DomainRecord>('domains');
  const everywhere = (name: string) => list({ name });

  return {
    /** The account's record, in any state. */
    find: (reseller: number, name: string) => find({ reseller, name }),
    /** The records of all accounts. */
    everywhere,
    /** The record of the account that has the name now. */
    holder(name: string): DomainRecord | undefined {
      const held = everywhere(name).filter(({ status }) => !lostStates.includes(status));
      return held.find(({ status }) => status !== 'WaitingForIncomingTransfer') ?? held[0];
    },
    /** Whether any record says that the name is registered, here or elsewhere. */
    isKnown: (name: string) => everywhere(name).some(({ status }) => !freeStates.includes(status)),
    /** At most `limit` records with an id above `afterId`, by id. */
    page: (reseller: number, limit: number, afterId: number) =>
      query(
        "WHERE record ->> 'reseller' = ? AND id > ? ORDER BY id LIMIT ?",
        reseller,
        afterId,
        limit,
      ),
    count: (reseller: number) => count({ reseller }),
    due: (nowMs: number) =>
      query("WHERE record ->> 'nextAt' IS NOT NULL AND record ->> 'nextAt' <= ? LIMIT 1000", nowMs),
    /** Adds a record; it replaces an older one of the same account and name. */
    add(domain: NewDomain): void {
      remove({ name: domain.name, reseller: domain.reseller });
      add(domain);
    },
    /** Adds a record whose name is new. */
    addNew: add,
    save,
    remove: ({ id }: DomainRecord) => remove({ id }),
  };
}

interface Balance {
  /** Reseller and currency. */
  readonly id: string;
  readonly reseller: number;
  readonly currency: string;
  readonly symbol: string;
  readonly balance: string;
}

interface StoredPurchase {
  readonly id: number;
  readonly reseller: number;
  readonly kind: 'register' | 'transfer' | 'refund';
  readonly domain: string;
  /** Years. */
  readonly period: number;
  readonly price: string;
  readonly currency: string;
  /** ISO 8601. */
  readonly at: string;
  readonly balanceAfter: string;
}

/** Balances, and the ledger of purchases. */
function createMoneyStore({ table }: SandboxDatabase) {
  const balances = table<Balance>('balances');
  const ledger = table<StoredPurchase>('purchases');
  const find = (reseller: number, currency: string) =>
    balances.find({ id: `${reseller} ${currency}` });

  return {
    /** Null for a currency without a balance. */
    balance(reseller: number, currency: string): Decimal | null {
      const found = find(reseller, currency);
      return found ? Decimal.parse(found.balance) : null;
    },
    balances: (reseller: number) =>
      balances
        .list({ reseller })
        .map(({ balance, currency, symbol }) => ({ balance, currency, symbol })),
    addBalance: (balance: Omit<Balance, 'id'>) =>
      balances.save({ id: `${balance.reseller} ${balance.currency}`, ...balance }),
    /** @throws Fault `INVALID_INPUT` for a currency without a balance. */
    setBalance(reseller: number, currency: string, balance: Decimal): void {
      const found = find(reseller, currency);
      if (!found) throw invalidInput(`The reseller has no balance in ${currency}.`);
      balances.save({ ...found, balance: balance.toString() });
    },
    /** Takes the price from the balance, or adds a refund, and writes the ledger. Call it inside a transaction. */
    book(purchase: Omit<StoredPurchase, 'id' | 'balanceAfter'>): void {
      const { reseller, kind, currency } = purchase;
      const found = find(reseller, currency);
      if (!found) throw new Error(`Reseller ${reseller} has no balance in ${currency}.`);
      const before = Decimal.parse(found.balance);
      const price = Decimal.parse(purchase.price);
      const after = kind === 'refund' ? before.plus(price) : before.minus(price);
      if (after.isNegative) throw new Error(`Reseller ${reseller} would owe ${currency}.`);
      const balance = after.toString();
      balances.save({ ...found, balance });
      ledger.add({ ...purchase, balanceAfter: balance });
    },
    /** The ledger, oldest first. */
    purchases: (reseller: number) =>
      ledger.list({ reseller }).map(({ reseller: _, ...purchase }) => purchase),
  };
}

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
