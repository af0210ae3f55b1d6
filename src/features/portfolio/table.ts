import type { Kysely } from 'kysely';
import {
  instant,
  integer,
  nullable,
  type RowsOf,
  table,
  domainName,
  text,
  textOf,
} from '../../persistence/table.ts';
import type { JournalTables } from '../../persistence/tables.ts';

/** How the gateway learned of a domain. */
export type DomainSource = 'LISTED' | 'PURCHASED' | 'IMPORTED';

/** The domains that the gateway knows. A row is never deleted. A record is one that the last list of the upstream left out. */
export const knownDomainsTable = table(
  'known_domains',
  {
    source: textOf<DomainSource>(),
    addedAt: instant,
    /** Its last row as JSON, and when that was requested; both null before the first read. */
    row: nullable(text),
    rowAt: nullable(instant),
    /** The last write that the row does not show; null for none. */
    changedAt: nullable(instant),
    /** Since when the upstream does not have the domain; null while it does. */
    missingAt: nullable(instant),
    /** When a process last began to read it; null for never. */
    takenAt: nullable(instant),
    dueAt: instant,
  },
  {
    hidden: {
      account: text,
      domain: domainName,
      /** 1 when the last list of the upstream has it, else 0. */
      listed: integer,
      /** When it was found to be gone; null while it is known. */
      removedAt: nullable(instant),
    },
    key: 'account, domain',
    indexes: {
      unlisted: '(account, due_at, domain) where listed = 0 and removed_at is null',
      unread: `(account, due_at, domain)
        where listed = 0 and removed_at is null and ("row" is null or changed_at is not null)`,
      taken: '(account, taken_at) where taken_at is not null',
    },
  },
);

export type PortfolioTables = RowsOf<typeof knownDomainsTable>;
export type KnownDomainRow = PortfolioTables['known_domains'];
export type PortfolioDatabase = Kysely<JournalTables & PortfolioTables>;
