import type { DomainName } from '../../kernel/domain-name.ts';
import type { lazy } from '../../lib/lazy.ts';
import { readsHook } from '../../scope/reads.ts';
import { tenantHook } from '../../scope/tenant.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

/** The domains of the account as one list. */
export interface DomainList {
  /** When it was requested from the upstream. */
  readonly asOf: Date;
  /** Whether the account has no domain that the list leaves out. */
  readonly isListComplete: boolean;
  /** Null for a domain that is not in the list. */
  readonly find: (name: DomainName) => DomainDetails | null;
  /** As `find`, also of a domain that only an earlier read has found. */
  readonly lastRead: (name: DomainName) => DomainDetails | null;
}

type ReadList<List> = ReturnType<typeof lazy<Promise<List>>>;

/** The lists of one request, each read once. */
export interface DomainLists<List extends DomainList = DomainList> {
  readonly list: ReadList<List>;
  /** Bypasses the cache. */
  readonly refreshed: ReadList<List>;
  /** When the latest list of this request was requested from the upstream; null before. */
  readonly listedAt: () => Date | null;
}

export const domainLists = readsHook<DomainLists>('domainLists');

/** Which of these domains are stored as domains of the account. By default none is. */
export const storedDomains = tenantHook<
  (names: readonly DomainName[]) => Promise<readonly DomainName[]>
>('storedDomains', () => async () => []);
