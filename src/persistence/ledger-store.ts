import type { DomainName } from '../kernel/domain-name.ts';
import type { LeaseRequest } from './leases.ts';

/** How the gateway learned of a domain. */
export type DomainSource = 'LISTED' | 'PURCHASED' | 'IMPORTED';

/** A domain of the ledger that the last list of the upstream left out. */
export interface UnlistedDomain {
  readonly name: DomainName;
  readonly source: DomainSource;
  readonly addedAt: Date;
  /** Its last row as JSON, and when that was requested; both null before the first read. */
  readonly row: string | null;
  readonly rowAt: Date | null;
  /** The last write that the row does not show; null for none. */
  readonly changedAt: Date | null;
  /** Since when the upstream does not have the domain; null while it does. */
  readonly missingAt: Date | null;
  /** When a process last began to read it; null for never. */
  readonly takenAt: Date | null;
  readonly dueAt: Date;
}

export interface KnownDomain {
  readonly name: DomainName;
  /** Null while the last list has the domain: then the ledger has no row of it. */
  readonly unlisted: UnlistedDomain | null;
}

/** How domains are added. */
export interface NewDomains {
  readonly source: DomainSource;
  readonly at: Date;
  /** When an unlisted one is to be read. */
  readonly dueAt: Date;
}

/** A time range. Its end is after the present, because the clocks of two gateways differ. */
interface TimeRange {
  readonly after: Date;
  readonly until: Date;
}

/** Which domains `takeDue` selects. */
export interface DueDomains {
  readonly now: Date;
  /** Domains that were taken in this range are not taken again, so that `countTaken` counts every read. */
  readonly counted: TimeRange;
  /** When a domain is due again if the process ends during the read. */
  readonly retryAt: Date;
  /** A domain that is due later than this was stored with a wrong clock, and is due too. */
  readonly latest: Date;
  readonly limit: number;
  /** Only domains without a row, and domains with a write that the row does not show. */
  readonly onlyUnread: boolean;
}

/**
 * The domains that the gateway knows, per account, over all replicas. Every write is durable before its promise resolves.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface LedgerStore {
  /** Adds the domains that are not known, or that were removed; returns how many these are. */
  add(account: string, names: readonly DomainName[], how: NewDomains): Promise<number>;
  /** Adds the domains of successful purchases, except those that were removed after the purchase. */
  addPurchased(account: string, how: Omit<NewDomains, 'source'>): Promise<void>;
  /** A page of the known domains by name, those after `after`. A domain that is known all the time is in one page. */
  known(account: string, after: DomainName | null, limit: number): Promise<readonly KnownDomain[]>;
  /** The same, names alone. */
  names(account: string, after: DomainName | null, limit: number): Promise<readonly DomainName[]>;
  /** Stores whether the last list has these domains, and removes the rows of those that it has. Unknown names are ignored. */
  markListed(account: string, names: readonly DomainName[], listed: boolean): Promise<void>;
  /** Unlisted domains that were never read are due now. */
  makeUnreadDue(account: string, at: Date): Promise<void>;
  /** Whether `takeDue` would return a domain. */
  hasDue(account: string, due: Omit<DueDomains, 'limit' | 'retryAt'>): Promise<boolean>;
  /** Takes unlisted domains that are due, the longest overdue first. No other process takes them until `retryAt`. */
  takeDue(account: string, due: DueDomains): Promise<readonly UnlistedDomain[]>;
  /** How many domains were taken in the range. */
  countTaken(account: string, range: TimeRange): Promise<number>;
  /** Stores the row of an unlisted domain unless a newer one is stored. */
  saveRow(
    account: string,
    name: DomainName,
    row: { readonly text: string; readonly at: Date; readonly dueAt: Date },
  ): Promise<void>;
  /** The upstream does not have the domain: stores the time of the first such read since the last row. */
  saveMissing(
    account: string,
    name: DomainName,
    read: { readonly at: Date; readonly dueAt: Date },
  ): Promise<void>;
  /** Removes an unlisted domain unless it has a row that was requested at `at` or later. */
  remove(account: string, name: DomainName, at: Date): Promise<boolean>;
  /** A domain was written: the row of an unlisted one, if it has one, is due. */
  recordWrite(account: string, name: DomainName, at: Date): Promise<void>;
  /** Acquires or renews the lease for the background reads of an account; false while another process has it. */
  lease(account: string, lease: LeaseRequest): Promise<boolean>;
}
