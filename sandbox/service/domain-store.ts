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

export function createDomainStore({ table }: SandboxDatabase) {
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
