import type { DomainName } from '../kernel/domain-name.ts';

/** What a write sets. A sync may change any field. */
export type WrittenField = 'nameServers' | 'transferLocked' | 'privacyProtected' | 'sync';

/** A change of a domain that this gateway has sent, or is about to send. */
export interface DomainWrite {
  readonly id: string;
  readonly domain: DomainName;
  readonly field: WrittenField;
  /** The value as text; null for a sync. */
  readonly value: string | null;
  /** The name of the key whose request caused it; null with open access. */
  readonly caller: string | null;
  readonly at: Date;
}

/**
 * The recent writes of an account, which explain differences that are found later.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface DomainWriteStore {
  record(account: string, write: DomainWrite): Promise<void>;
  list(account: string): Promise<readonly DomainWrite[]>;
  delete(account: string, ids: readonly string[]): Promise<void>;
}
