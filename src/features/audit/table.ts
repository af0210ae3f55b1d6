import {
  domainName,
  instant,
  integer,
  nullable,
  type RowsOf,
  table,
  text,
} from '../../persistence/table.ts';

/** The facts about all rows of the audit log of an account. Before the first row a position is 0 and a hash empty. */
export const auditLogsTable = table(
  'audit_logs',
  {},
  {
    hidden: {
      account: text,
      /** Position and hash of the last row, which a trigger sets. */
      position: integer,
      hash: text,
      /** Position and hash of the last row that was deleted because of its age. */
      deletedUntil: integer,
      deletedHash: text,
      /** Of the hashes of inputs: 64 hexadecimal digits. */
      inputKey: text,
    },
    key: 'account',
  },
);

/** The statement that adds a row also stores its position and hash, so that a row that is removed at the end is missed. */
const follow = `update audit_logs set position = new.position, hash = new.hash
  where account = new.account and position < new.position;`;

/** The rows of the audit logs. A row is never changed. */
export const auditEntriesTable = table(
  'audit_entries',
  {
    /** From 1, without gaps. The end of an operation has a place too. */
    position: integer,
    /** The members from here to `inputHash` are null in the row of an end. */
    operation: nullable(text),
    domain: nullable(domainName),
    caller: nullable(text),
    customer: nullable(text),
    tenant: nullable(text),
    requestId: nullable(text),
    address: nullable(text),
    /** Equal for equal inputs of an operation; null without an input. */
    inputHash: nullable(text),
    /** Null for an operation that begins. */
    outcome: nullable(text),
    upstreamCalls: nullable(integer),
    /** Null for an end that is no refusal for a missing scope. */
    refusals: nullable(integer),
    /** SHA-256 of the row and of the hash of the row before it. */
    hash: text,
  },
  {
    hidden: {
      account: text,
      at: instant,
      /** The position of the operation whose end the row is; null for an operation. */
      begun: nullable(integer),
      previousHash: text,
    },
    key: 'account, position',
    unique: { ends: '(account, begun) where begun is not null' },
    indexes: {
      by_domain: '(account, domain, position) where domain is not null',
      by_time: '(account, at)',
    },
    triggers: [
      {
        sqlite: `create trigger audit_entries_last after insert on audit_entries
          begin ${follow} end`,
        postgres: `create function audit_entries_follow() returns trigger language plpgsql as
          $$ begin ${follow} return null; end $$`,
      },
      {
        postgres: `create trigger audit_entries_last after insert on audit_entries
          for each row execute function audit_entries_follow()`,
      },
    ],
  },
);

export type AuditTables = RowsOf<typeof auditLogsTable | typeof auditEntriesTable>;
export type AuditEntryRow = AuditTables['audit_entries'];
export type AuditLogRow = AuditTables['audit_logs'];
