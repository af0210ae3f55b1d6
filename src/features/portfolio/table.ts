import type { Kysely } from 'kysely';
import type { Table } from '../../persistence/table.ts';
import type { JournalTables } from '../../persistence/tables.ts';

/** How the gateway learned of a domain. */
export type DomainSource = 'LISTED' | 'PURCHASED' | 'IMPORTED';

/** One domain that the gateway knows. A row is never deleted. */
export type KnownDomainRow = {
  readonly account: string;
  readonly domain: string;
  readonly source: DomainSource;
  /** 1 when the last list of the upstream has it, else 0. */
  readonly listed: number;
  readonly added_at: string;
  /** JSON; null together with its time. */
  readonly row: string | null;
  readonly row_at: string | null;
  readonly changed_at: string | null;
  readonly missing_at: string | null;
  /** When it was found to be gone; null while it is known. */
  readonly removed_at: string | null;
  /** When a process last began to read it. */
  readonly taken_at: string | null;
  readonly due_at: string;
};

export type PortfolioTables = { readonly known_domains: KnownDomainRow };

export type PortfolioDatabase = Kysely<JournalTables & PortfolioTables>;

export const knownDomainsTable: Table = {
  name: 'known_domains',
  steps: [
    [
      `create table if not exists known_domains (
        account text not null, domain text not null, source text not null,
        listed integer not null, added_at text not null,
        "row" text, row_at text, changed_at text, missing_at text, removed_at text, taken_at text,
        due_at text not null,
        constraint known_domains_pkey primary key (account, domain))`,
      `create index if not exists known_domains_unlisted on known_domains (account, due_at, domain)
        where listed = 0 and removed_at is null`,
      `create index if not exists known_domains_unread on known_domains (account, due_at, domain)
        where listed = 0 and removed_at is null and ("row" is null or changed_at is not null)`,
      `create index if not exists known_domains_taken on known_domains (account, taken_at)
        where taken_at is not null`,
    ],
  ],
};
