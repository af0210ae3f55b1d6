import type { Table } from '../../persistence/table.ts';

/** A row of the audit log. A row is never changed. */
export interface AuditEntryRow {
  readonly account: string;
  /** From 1, without gaps. */
  readonly position: number;
  readonly at: string;
  /** The position of the operation whose end the row is; null for an operation. */
  readonly begun: number | null;
  /** The members from here to `input_hash` are null in the row of an end. */
  readonly operation: string | null;
  readonly domain: string | null;
  readonly caller: string | null;
  readonly customer: string | null;
  readonly tenant: string | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly input_hash: string | null;
  /** Null for an operation that begins. */
  readonly outcome: string | null;
  readonly upstream_calls: number | null;
  /** Null for an end that is no refusal for a missing scope. */
  readonly refusals: number | null;
  readonly previous_hash: string;
  readonly hash: string;
}

/** The facts about all rows of the audit log of an account. */
export interface AuditLogRow {
  readonly account: string;
  /** Position and hash of the last row, which a trigger sets; 0 and an empty text before the first. */
  readonly position: number;
  readonly hash: string;
  /** Position and hash of the last row that was deleted because of its age; 0 and an empty text before the first. */
  readonly deleted_until: number;
  readonly deleted_hash: string;
  /** Of the hashes of inputs: 64 hexadecimal digits. */
  readonly input_key: string;
}

export type AuditTables = {
  readonly audit_entries: AuditEntryRow;
  readonly audit_logs: AuditLogRow;
};

/** The statement that adds a row also stores its position and hash, so that a row that is removed at the end is missed. */
const follow = `update audit_logs set position = new.position, hash = new.hash
  where account = new.account and position < new.position;`;

export const auditLogsTable: Table = {
  name: 'audit_logs',
  steps: [
    [
      `create table if not exists audit_logs (
    account text primary key not null, position integer not null, hash text not null,
    deleted_until integer not null, deleted_hash text not null, input_key text not null)`,
    ],
  ],
};

export const auditEntriesTable: Table = {
  name: 'audit_entries',
  steps: [
    [
      `create table if not exists audit_entries (
    account text not null, position integer not null, at text not null, begun integer,
    operation text, domain text, caller text, customer text, tenant text,
    request_id text, address text, input_hash text, outcome text, upstream_calls integer, refusals integer,
    previous_hash text not null, hash text not null,
    constraint audit_entries_pkey primary key (account, position))`,
      `create unique index if not exists audit_entries_ends on audit_entries (account, begun)
    where begun is not null`,
      `create index if not exists audit_entries_by_domain on audit_entries (account, domain, position)
    where domain is not null`,
      'create index if not exists audit_entries_by_time on audit_entries (account, at)',

      {
        sqlite: `create trigger if not exists audit_entries_last after insert on audit_entries
        begin ${follow} end`,
        postgres: `create or replace function audit_entries_follow() returns trigger language plpgsql as
        $$ begin ${follow} return null; end $$`,
      },
      {
        postgres: `create or replace trigger audit_entries_last after insert on audit_entries
        for each row execute function audit_entries_follow()`,
      },
    ],
  ],
};
