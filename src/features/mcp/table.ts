import type { Table } from '../../persistence/table.ts';

/** A quote or preview of a tool, which a handle names. */
export interface HandleRow {
  /** A hash of the handle, 64 hexadecimal digits. */
  readonly id: string;
  readonly account: string;
  /** The name of the key; empty with open access. */
  readonly caller: string;
  /** The tool that accepts the handle. */
  readonly tool: string;
  /** JSON, encrypted with a key that is derived from the handle. */
  readonly input: string;
  readonly expires_at: string;
}

export type HandleTables = { readonly handles: HandleRow };

export const handlesTable: Table = {
  name: 'handles',
  steps: [
    [
      `create table if not exists handles (
    id text primary key not null, account text not null, caller text not null, tool text not null,
    input text not null, expires_at text not null)`,
      'create index if not exists handles_by_caller on handles (account, caller, expires_at)',
      'create index if not exists handles_by_expiry on handles (expires_at)',
    ],
  ],
};
